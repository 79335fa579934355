import type { StreamFn } from "@earendil-works/pi-agent-core";

let installed: StreamFn | undefined;

/** Installs the stream function of agents and loops that are given none; undefined removes it. */
export function setDefaultStreamFn(streamFn: StreamFn | undefined): void {
  installed = streamFn;
}

/**
 * The installed stream function. Pi's own package has another one: installing there does not install here.
 *
 * @throws Error with Pi's text when none is installed.
 */
export function getDefaultStreamFn(): StreamFn {
  if (installed) return installed;
  throw new Error("No default stream function configured. Pass streamFn explicitly or call setDefaultStreamFn().");
}
