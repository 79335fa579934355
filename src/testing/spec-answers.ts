import type { State } from "../engine/state.ts";
import type { HookName } from "../protocol/command.ts";
import type { Effect, EffectType } from "../protocol/effect.ts";
import type { OutcomeBody, OutcomeType } from "../protocol/outcome.ts";
import { SpecError } from "./spec-error.ts";
import { type BareInput, toolFinished, toolPrepared } from "./spec-inputs.ts";

/** Gives one input after another, each from the state that the one before led to; undefined: no more. */
export type InputSource = (state: State) => BareInput | undefined;

/**
 * Answers everything in the ordinary way (listeners settle, hooks change nothing, calls are ready, tools finish) until
 * something of this type is asked for. The model's replies are the specification's to give.
 *
 * @throws SpecError when the run ends first, or the model is asked first.
 */
export function until(type: EffectType): InputSource {
  return ({ outstanding }) => {
    if (outstanding.some((effect) => effect.type === type)) return undefined;
    const [effect] = outstanding;
    if (!effect) throw new SpecError(`Nothing asks for ${type}: nothing is outstanding any more.`);
    return ordinaryAnswer(effect);
  };
}

/**
 * Answers everything in the ordinary way until the run is over.
 *
 * @throws SpecError when the model is asked again.
 */
export const untilIdle: InputSource = ({ outstanding: [effect] }) => effect && ordinaryAnswer(effect);

/** The effect that an outcome answers: the oldest outstanding one of its kind. */
export function answeredBy(outcome: OutcomeBody, outstanding: readonly Effect[]): Effect | undefined {
  return outstanding.find((effect) => isAnswer(outcome, effect));
}

function ordinaryAnswer(effect: Effect): BareInput {
  switch (effect.type) {
    case "listeners.settle":
      return { type: effect.then };
    case "queue.poll":
      return { type: "queue.polled", messages: [] };
    case "tools.declare":
      return { type: "tools.declared" };
    case "hook.run":
      return { type: HOOK_OUTCOMES[effect.hook] };
    case "tool.prepare":
      return toolPrepared(effect.call);
    case "tool.run":
      return toolFinished(effect.call);
    case "tool.skip":
      return { type: "tool.finished", call: effect.call, outcome: { kind: "aborted" } };
    default:
      throw new SpecError(`${effect.id} asks for ${effect.type}: the specification has to answer it.`);
  }
}

const HOOK_OUTCOMES = {
  prepareRequest: "request.prepared",
  finishTurn: "turn.finished",
  prepareNextTurn: "turn.prepared",
} as const satisfies Record<HookName, OutcomeType>;

function isAnswer(outcome: OutcomeBody, effect: Effect): boolean {
  switch (effect.type) {
    case "listeners.settle":
      return outcome.type === effect.then || outcome.type === "run.failed";
    case "hook.run":
      return outcome.type === HOOK_OUTCOMES[effect.hook] || outcome.type === "run.failed";
    case "queue.poll":
      return outcome.type === "queue.polled" || outcome.type === "run.failed";
    case "tools.declare":
      return outcome.type === "tools.declared" || outcome.type === "run.failed";
    case "model.request":
      return outcome.type === "model.started" || outcome.type === "model.replied" || outcome.type === "run.failed";
    case "tool.prepare":
      return outcome.type === "tool.prepared" && outcome.call === effect.call;
    case "tool.run":
    case "tool.skip":
      return outcome.type === "tool.finished" && outcome.call === effect.call;
    default:
      return false;
  }
}
