import { describe, expect, test } from "vitest";
import { assign, createMachine, setup } from "xstate";
import * as machines from "../../machines/index.ts";
import { type Chart, nodesOf } from "../../src/engine/chart.ts";
import { compileMachine } from "../../src/engine/compiled.ts";
import { lintMachine } from "../../src/engine/machine-lint.ts";

describe.each(Object.entries(machines))("%s", (_name, machine) => {
  const chart = machine as unknown as Chart;

  test("has named guards and actions only, no invoke, spawn or delay, and a description on every state and event", () => {
    expect(lintMachine(chart)).toEqual([]);
  });

  test("its definition is JSON: nothing in it is a function", () => {
    const functions: string[] = [];
    JSON.stringify(machine.definition, (key, value: unknown) => {
      // XState gives each transition a toJSON of its own.
      if (typeof value === "function" && key !== "toJSON") functions.push(key);
      return value;
    });
    expect(functions).toEqual([]);
    const definition = JSON.parse(JSON.stringify(machine.definition)) as { states: object; transitions: object[] };
    expect(Object.keys(definition.states)).toEqual(Object.keys(machine.states));
    expect(definition.transitions).not.toHaveLength(0);
    for (const transition of definition.transitions) {
      expect(transition).toMatchObject({ description: expect.stringMatching(/./), eventType: expect.any(String) });
    }
  });

  test("every state can be entered from another one", () => {
    const nodes = nodesOf(chart.root);
    const targets = new Set(
      nodes.flatMap((node) => [
        ...(node.initial.target ?? []),
        ...[...node.transitions.values(), node.always ?? []].flat().flatMap(({ target }) => target ?? []),
      ]),
    );
    const unreachable = nodes.filter((node) => node.parent && node.type === "atomic" && !targets.has(node));
    expect(unreachable.map(({ id }) => id)).toEqual([]);
  });
});

describe("the lint refuses", () => {
  const faultsOf = (machine: unknown) => lintMachine(machine as Chart);
  const described = { description: "…" };

  test("inline actions and guards", () => {
    const machine = createMachine({
      id: "m",
      ...described,
      on: { GO: { ...described, guard: () => true, actions: () => {} } },
    });
    expect(faultsOf(machine)).toEqual(["m: action is not a name", "m: guard is not a name"]);
  });

  test("names that nothing implements", () => {
    const machine = createMachine({
      id: "m",
      ...described,
      on: { GO: { ...described, guard: "no", actions: "nope" } },
    });
    expect(faultsOf(machine)).toEqual(["m: action nope is not implemented", "m: guard no is not implemented"]);
  });

  test("invoke, delays, and other built-in actions than assign", () => {
    const invoking = createMachine({ id: "m", ...described, invoke: { src: "x" } });
    expect(faultsOf(invoking)).toContain("m: invoke");
    const delayed = createMachine({
      id: "m",
      ...described,
      initial: "a",
      states: { a: { ...described, after: { 10: { ...described, target: "b" } } }, b: described },
    });
    expect(faultsOf(delayed).join()).toMatch(/delay or internal event/);
    const base = setup({ types: {} as { context: { n: number } } });
    const enqueuing = base.extend({
      actions: { both: base.enqueueActions(({ enqueue }) => enqueue(assign({ n: 1 }))) },
    });
    expect(faultsOf(enqueuing.createMachine({ id: "m", ...described, context: { n: 0 } }))).toEqual([
      "action both: xstate.enqueueActions",
    ]);
  });

  test("parallel, history and final states, and what has no description", () => {
    const machine = createMachine({
      id: "m",
      type: "parallel",
      states: { a: { ...described, initial: "f", states: { f: { ...described, type: "final" } } }, b: described },
    });
    expect(faultsOf(machine)).toEqual(["m: parallel state", "m: no description", "m.a.f: final state"]);
    expect(faultsOf(createMachine({ id: "m", ...described, on: { GO: {} } }))).toEqual(["m on GO: no description"]);
  });

  test("the compiler refuses what the lint refuses", () => {
    const machine = createMachine({ id: "m", ...described, invoke: { src: "x" } });
    expect(() => compileMachine(machine as unknown as Chart)).toThrowError(
      expect.objectContaining({ code: "machine-unsupported" }),
    );
  });
});
