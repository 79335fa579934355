import type { JsonPath } from "./json-path.ts";
import type { Scenario, Step } from "./scenario.ts";

/** Something about a scenario, and the place that it is about. */
export interface Finding {
  readonly path: JsonPath;
  readonly reason: string;
}

const WITH_TEXT: readonly Step["do"][] = ["prompt", "steer", "followUp"];
const WITH_MODE: readonly Step["do"][] = ["steeringMode", "followUpMode"];

/** What is wrong with a scenario that has the right form: a step that cannot be done. */
export function scenarioFaults({ host }: Scenario): readonly Finding[] {
  return host.flatMap((step, n) => {
    const path = ["host", n];
    if (WITH_TEXT.includes(step.do) && step.text === undefined) {
      return [{ path: [...path, "text"], reason: `is missing: ${step.do} needs the text of its message` }];
    }
    if (WITH_MODE.includes(step.do) && step.mode === undefined) {
      return [{ path: [...path, "mode"], reason: `is missing: ${step.do} needs "one-at-a-time" or "all"` }];
    }
    if (step.do === "throw" && !(typeof step.when === "object" && "event" in step.when)) {
      return [{ path: [...path, "when"], reason: "must be an event: throw makes the listener of an event throw" }];
    }
    return [];
  });
}

/** What a scenario says without effect, most likely by mistake. */
export function scenarioRemarks(scenario: Scenario): readonly Finding[] {
  return [...repeatedCalls(scenario), ...hooksWithoutCall(scenario), ...unusedFields(scenario)];
}

function repeatedCalls({ model }: Scenario): readonly Finding[] {
  const seen = new Set<string>();
  return callsOf(model)
    .filter(({ id }) => seen.size === seen.add(id).size)
    .map(({ id, path }) => ({
      path,
      reason: `call id "${id}" stands twice; whenever it is called, the tool does what the last one says`,
    }));
}

function hooksWithoutCall({ model, hooks = {} }: Scenario): readonly Finding[] {
  const ids = new Set(callsOf(model).map(({ id }) => id));
  return (["beforeToolCall", "afterToolCall"] as const).flatMap((hook) =>
    Object.keys(hooks[hook] ?? {})
      .filter((id) => !ids.has(id))
      .map((id) => ({ path: ["hooks", hook, id], reason: "no reply has a call with this id" })),
  );
}

function unusedFields({ host }: Scenario): readonly Finding[] {
  return host.flatMap((step, n) => {
    const path = ["host", n];
    const textIsUsed = step.do === "throw" || WITH_TEXT.includes(step.do);
    return [
      ...(step.text === undefined || textIsUsed ? [] : [{ path: [...path, "text"], reason: `${step.do} has no text` }]),
      ...(step.mode === undefined || WITH_MODE.includes(step.do)
        ? []
        : [{ path: [...path, "mode"], reason: `${step.do} has no mode` }]),
    ];
  });
}

function callsOf(model: Scenario["model"]): readonly { readonly id: string; readonly path: JsonPath }[] {
  return model.flatMap(({ calls = [] }, reply) =>
    calls.map(({ id }, call) => ({ id, path: ["model", reply, "calls", call, "id"] })),
  );
}
