import type { StreamFn } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import { CliError } from "../cli-error.ts";

/** A model of a provider, with the stream function that asks it. */
export interface RealModel {
  readonly model: Model<string>;
  readonly streamFn: StreamFn;
}

/**
 * A model through pi-ai, an optional peer that is loaded only here.
 *
 * @param name `<provider>/<model id>`.
 * @throws CliError when pi-ai is not installed, the model is not known, or no key is set.
 */
export async function realModel(name: string): Promise<RealModel> {
  const [provider = "", ...rest] = name.split("/");
  const id = rest.join("/");
  if (!provider || !id) throw new CliError("usage", `${name} is not a model.`, "Name it as <provider>/<id>.");
  const { builtinModels } = await loadPiAi();
  const models = builtinModels();
  const model = models.getModel(provider, id);
  if (!model) {
    throw new CliError(
      "usage",
      `pi-ai knows no model ${name}.`,
      "Name it as <provider>/<id>, as pi-ai's catalog does.",
    );
  }
  if (!(await models.getAuth(model))) {
    const fix = `Set the provider's key in the environment, such as ${provider.toUpperCase().replaceAll("-", "_")}_API_KEY.`;
    throw new CliError("key-missing", `No key is set for ${provider}.`, fix);
  }
  return { model, streamFn: (requested, context, options) => models.streamSimple(requested, context, options) };
}

async function loadPiAi() {
  try {
    return await import("@earendil-works/pi-ai/providers/all");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const fix = "Install it: npm install @earendil-works/pi-ai@1.6.0";
    throw new CliError("peer-missing", "A real model needs @earendil-works/pi-ai, which is not installed.", fix);
  }
}
