import { REFUSALS } from "../../../src/protocol/errors.ts";
import { type AgentInvariant, alter, double, drop, eventsOf, see, tracesOf } from "./agent-invariant.ts";

const T11: AgentInvariant = {
  id: "INV-T11",
  statement: "pendingToolCalls is empty whenever the agent is idle, and between Turns",
  violations: ({ happenings }) =>
    happenings.flatMap((one, n) => {
      const between = "event" in one && ["agent_start", "turn_start", "turn_end", "agent_end"].includes(one.event.type);
      return (between || "idle" in one) && one.pendingCalls.length > 0 ? [`${n}: ${one.pendingCalls}`] : [];
    }),
  broken: [see("turn_end", { pendingCalls: ["c1"] }), see("agent_end", { pendingCalls: ["c1"] })],
};

const T12: AgentInvariant = {
  id: "INV-T12",
  statement: "no event comes between agent_end and the next agent_start, and no call is told of in another Trace",
  violations: (run) =>
    tracesOf(run).flatMap((events, n) => {
      const end = events.findIndex(({ type }) => type === "agent_end");
      const late = end < 0 ? [] : events.slice(end + 1).map(({ type }) => `Trace ${n + 1}: ${type} after its end`);
      const known = events.flatMap((event) => (event.type === "tool_execution_start" ? [event.toolCallId] : []));
      const strangers = events.flatMap((event) =>
        event.type === "tool_execution_end" && !known.includes(event.toolCallId) ? [event.toolCallId] : [],
      );
      return [...late, ...strangers.map((id) => `Trace ${n + 1}: end of ${id}`)];
    }),
  broken: [
    double("agent_end"),
    drop("agent_start"),
    alter("tool_execution_end", () => ({ toolCallId: "of another Trace" })),
  ],
};

const T13: AgentInvariant = {
  id: "INV-T13",
  statement: "no tool body starts when the signal has fired",
  violations: ({ happenings }) =>
    happenings.flatMap((one) => ("body" in one && one.aborted ? [`${one.body} starts`] : [])),
  broken: [
    {
      name: "where the signal has fired when a tool starts",
      apply: (run) =>
        run.happenings.flatMap((one, n) =>
          "body" in one ? [{ ...run, happenings: run.happenings.with(n, { ...one, aborted: true }) }] : [],
        ),
    },
  ],
};

const A1: AgentInvariant = {
  id: "INV-A1",
  statement: "at most one run is active: an agent_start comes only after the agent_end of the run before",
  violations: (run) => {
    let active = false;
    return eventsOf(run).flatMap(({ type }, n) => {
      const second = type === "agent_start" && active;
      if (type === "agent_start") active = true;
      if (type === "agent_end") active = false;
      return second ? [`event ${n}`] : [];
    });
  },
  broken: [double("agent_start"), drop("agent_end")],
};

const A2: AgentInvariant = {
  id: "INV-A2",
  statement: "isStreaming holds in every listener from agent_start to agent_end, and not when the agent is idle",
  violations: ({ happenings }) =>
    happenings.flatMap((one, n) => ("event" in one && !one.busy ? [`${n}: idle in ${one.event.type}`] : [])),
  broken: [see("agent_start", { busy: false }), see("agent_end", { busy: false })],
};

const REFUSAL_TEXTS: ReadonlySet<string> = new Set(Object.values(REFUSALS).map(({ text }) => text));

const A3: AgentInvariant = {
  id: "INV-A3",
  statement: "prompt() and continue() reject with refusals only, whatever the model, tools, hooks and listeners do",
  violations: ({ errors }) => errors.filter((error) => !REFUSAL_TEXTS.has(error.slice(error.indexOf(": ") + 2))),
  broken: [
    {
      name: "where prompt rejects with the error of a hook",
      apply: (run) => [{ ...run, errors: [...run.errors, "prompt: hook broke"] }],
    },
  ],
};

const A4: AgentInvariant = {
  id: "INV-A4",
  statement: "every run comes to rest, and when waitForIdle resolves, the run that it waited for is over",
  violations: (run) => {
    const waits = run.happenings.flatMap((one) => ("idle" in one ? [one] : []));
    const early = waits.filter(({ busy, trace, traceId }) => busy && traceId === `t${trace}`);
    const missing = tracesOf(run).length - waits.length;
    return [
      ...early.map(({ trace }) => `Trace ${trace} still runs`),
      ...(run.stalled ? ["the run never comes to rest"] : []),
      ...(missing > 0 ? [`${missing} waits never end`] : []),
    ];
  },
  broken: [
    {
      name: "where waitForIdle resolves in mid-run",
      apply: (run) =>
        run.happenings.flatMap((one, n) =>
          "idle" in one
            ? [{ ...run, happenings: run.happenings.with(n, { ...one, busy: true, traceId: `t${one.trace}` }) }]
            : [],
        ),
    },
    { name: "that never comes to rest", apply: (run) => [{ ...run, stalled: true }] },
    {
      name: "where waitForIdle never resolves",
      apply: (run) => [{ ...run, happenings: run.happenings.filter((one) => !("idle" in one)) }],
    },
  ],
};

const A5: AgentInvariant = {
  id: "INV-A5",
  statement: "a run that was aborted ends without another request that the model answers in full",
  violations: (run) =>
    tracesOf(run).flatMap((events, n) => {
      const abort = run.happenings.find(
        (one) => "event" in one && events.includes(one.event) && one.aborted && one.event.type === "turn_start",
      );
      if (!abort || !("event" in abort)) return [];
      const said = events
        .slice(events.indexOf(abort.event))
        .flatMap((event) =>
          event.type === "turn_end" && "stopReason" in event.message ? [event.message.stopReason] : [],
        );
      return said.every((reason) => reason === "aborted" || reason === "error") ? [] : [`Trace ${n + 1}: ${said}`];
    }),
  broken: [see("turn_start", { aborted: true })],
};

/** Sections 9.3 and 9.4 over what can be seen of an agent from outside. */
export const LIFE_INVARIANTS: readonly AgentInvariant[] = [T11, T12, T13, A1, A2, A3, A4, A5];
