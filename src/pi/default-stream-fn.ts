import type { StreamFn } from "@earendil-works/pi-agent-core";
import { LifecycleError } from "../protocol/errors.ts";

let installed: StreamFn | undefined;

/** Installs the stream function of agents and loops that are given none; undefined removes it. */
export function setDefaultStreamFn(streamFn: StreamFn | undefined): void {
  installed = streamFn;
}

/**
 * The installed stream function. Pi's own package has another one: installing there does not install here.
 *
 * @throws LifecycleError `stream-fn-missing`, with Pi's text, when none is installed.
 */
export function getDefaultStreamFn(): StreamFn {
  if (installed) return installed;
  throw new LifecycleError("stream-fn-missing");
}
