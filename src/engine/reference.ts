import type { AnyStateMachine, EventObject, StateValue } from "xstate";
import type { Produced } from "../../machines/product.ts";
import { collect, type Products } from "./collect.ts";
import type { MachineStep } from "./machine-state.ts";

interface ExecutedAction {
  readonly type: string;
  readonly info: unknown;
  readonly params: unknown;
  readonly exec: ((info: unknown, params: unknown) => unknown) | undefined;
}

/**
 * XState's own transition function as a pure step: the authority that the compiled table is held against.
 * One inert actor scope is reused, so nothing is spawned and nothing is sent. `ActorScope` is a structural contract of
 * the pinned XState version; `test/property/engines.test.ts` guards it.
 */
export function referenceStep<C, E extends EventObject>(machine: AnyStateMachine): MachineStep<C, E> {
  let products: Products = { facts: [], effects: [] };
  const nothing = () => undefined;
  const system = {
    _sendInspectionEvent: nothing,
    _register: nothing,
    _unregister: nothing,
    _set: nothing,
    _relay: nothing,
    _bookId: () => "",
    get: nothing,
    getAll: () => ({}),
    scheduler: { schedule: nothing, cancel: nothing, cancelAll: nothing },
    _clock: { setTimeout: nothing, clearTimeout: nothing },
    _logger: nothing,
  };
  const self = { id: "", sessionId: "", _parent: undefined, send: nothing, getSnapshot: nothing, system };
  const scope = {
    self,
    system,
    id: "",
    sessionId: "",
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor: (action: ExecutedAction) => {
      collect(action.exec?.(action.info, action.params) as Produced, products);
    },
  } as unknown as Parameters<AnyStateMachine["transition"]>[2];

  return (state, event, into) => {
    products = into;
    const before = machine.resolveState({ value: toStateValue(state.value), context: state.context });
    const after = machine.transition(before, event, scope);
    return after === before ? state : { value: toPath(after.value), context: after.context as C };
  };
}

function toStateValue(path: string): StateValue {
  const [first = "", ...rest] = path.split(".");
  return rest.length === 0 ? first : { [first]: toStateValue(rest.join(".")) };
}

function toPath(value: StateValue): string {
  if (typeof value === "string") return value;
  const [entry] = Object.entries(value);
  return entry ? `${entry[0]}.${toPath(entry[1] ?? "")}` : "";
}
