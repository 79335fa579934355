import { grammarFault } from "../invariants/grammar.ts";
import { type AgentInvariant, alter, double, drop, eventsOf, isEvent, swap, tracesOf } from "./agent-invariant.ts";
import type { AgentRun } from "./agent-run.ts";
import { eventTokens } from "./event-tokens.ts";

const G1: AgentInvariant = {
  id: "INV-G1",
  statement: "Pi's events match the grammar of 2.3, whatever throws",
  violations: (run) => {
    const fault = grammarFault(eventTokens(eventsOf(run), run.scenario));
    return fault === undefined ? [] : [fault];
  },
  broken: [
    drop("turn_start"),
    drop("message_start"),
    drop("tool_execution_end"),
    double("message_end"),
    double("turn_end"),
    swap("tool_execution_start", "tool_execution_end"),
  ],
};

const G2: AgentInvariant = {
  id: "INV-G2",
  statement: "every Trace has one agent_start and one agent_end, first and last",
  violations: (run) =>
    tracesOf(run).flatMap((events, n) => {
      const starts = events.filter(isEvent("agent_start")).length;
      const ends = events.filter(isEvent("agent_end")).length;
      const right = starts === 1 && ends === 1 && events.at(-1)?.type === "agent_end";
      return right ? [] : [`Trace ${n + 1}: ${starts} starts, ${ends} ends, last ${events.at(-1)?.type}`];
    }),
  broken: [drop("agent_start"), double("agent_start"), drop("agent_end"), double("agent_end")],
};

const G3: AgentInvariant = {
  id: "INV-G3",
  statement: "turn_start and turn_end alternate, inside the Trace",
  violations: (run) => {
    let inTurn = false;
    return eventsOf(run).flatMap(({ type }, n) => {
      const outside = type === "agent_start" || type === "agent_end" || type === "turn_start";
      const wrong = outside === inTurn;
      if (type === "turn_start") inTurn = true;
      if (type === "turn_end") inTurn = false;
      return wrong ? [`event ${n}: ${type}`] : [];
    });
  },
  broken: [drop("turn_start"), drop("turn_end"), double("turn_end"), swap("turn_end", "agent_end")],
};

const G4: AgentInvariant = {
  id: "INV-G4",
  statement: "every message_start is closed by a message_end of the same message before another one",
  violations: (run) => {
    let open: string | undefined;
    return eventsOf(run).flatMap((event, n) => {
      if (event.type !== "message_start" && event.type !== "message_end") return [];
      const { role } = event.message;
      const right = event.type === "message_start" ? open === undefined : open === role;
      open = event.type === "message_start" ? role : undefined;
      return right ? [] : [`event ${n}: ${event.type} of ${role}`];
    });
  },
  broken: [drop("message_end"), drop("message_start"), double("message_start")],
};

const G5: AgentInvariant = {
  id: "INV-G5",
  statement: "a Turn has exactly one assistant message, the last message before its batch",
  violations: (run) => {
    let said = 0;
    return eventsOf(run).flatMap((event, n) => {
      if (event.type === "turn_start") said = 0;
      if (event.type === "turn_end") return said === 1 ? [] : [`event ${n}: ${said} assistant messages`];
      if (event.type !== "message_end") return [];
      if (event.message.role === "assistant") said += 1;
      const late = said > 0 && event.message.role !== "assistant" && event.message.role !== "toolResult";
      return late ? [`event ${n}: a ${event.message.role} message after the assistant's`] : [];
    });
  },
  broken: [drop("message_end"), double("message_end"), drop("turn_start")],
};

const G6: AgentInvariant = {
  id: "INV-G6",
  statement: "turn_end carries the very object of the assistant's message_end",
  violations: (run) => {
    let last: unknown;
    return eventsOf(run).flatMap((event, n) => {
      if (event.type === "message_end" && event.message.role === "assistant") last = event.message;
      return event.type === "turn_end" && event.message !== last ? [`event ${n}`] : [];
    });
  },
  broken: [alter("turn_end", ({ message }) => ({ message: { ...message } })), drop("message_end")],
};

const G7: AgentInvariant = {
  id: "INV-G7",
  statement: "after an error or aborted message come turn_end without results and agent_end",
  violations: (run) => {
    const events = eventsOf(run);
    return events.flatMap((event, n) => {
      if (event.type !== "message_end" || event.message.role !== "assistant") return [];
      const { stopReason } = event.message;
      if (stopReason !== "error" && stopReason !== "aborted") return [];
      const [end, last] = events.slice(n + 1, n + 3);
      const right = end?.type === "turn_end" && end.toolResults.length === 0 && last?.type === "agent_end";
      return right ? [] : [`event ${n}: ${end?.type}, ${last?.type}`];
    });
  },
  broken: [drop("turn_end"), drop("agent_end"), swap("turn_end", "agent_end")],
};

const G8: AgentInvariant = {
  id: "INV-G8",
  statement: "agent_end carries the messages of all message_end events of the Trace, in order",
  violations: (run) =>
    tracesOf(run).flatMap((events, n) => {
      const ended = events.filter(isEvent("message_end")).map(({ message }) => message);
      const told = events.find(isEvent("agent_end"))?.messages ?? [];
      const same = told.length === ended.length && told.every((message, at) => message === ended[at]);
      return same ? [] : [`Trace ${n + 1}: ${told.length} of ${ended.length}`];
    }),
  broken: [
    drop("message_end"),
    alter("agent_end", ({ messages }) => ({ messages: messages.slice(1) })),
    alter("agent_end", ({ messages }) => ({ messages: messages.map((message) => ({ ...message })) })),
    alter("agent_end", ({ messages }) => ({ messages: messages.toReversed() })),
  ],
};

const T2: AgentInvariant = {
  id: "INV-T2",
  statement: "every tool_execution_start has one tool_execution_end after it, and updates lie between them",
  violations: (run) => {
    const open: string[] = [];
    return eventsOf(run).flatMap((event, n) => {
      if (event.type === "tool_execution_start") open.push(event.toolCallId);
      if (event.type === "turn_end") return open.splice(0).map((id) => `event ${n}: ${id} has not ended`);
      if (event.type !== "tool_execution_end" && event.type !== "tool_execution_update") return [];
      const place = open.indexOf(event.toolCallId);
      if (event.type === "tool_execution_end" && place >= 0) open.splice(place, 1);
      return place >= 0 ? [] : [`event ${n}: ${event.type} of ${event.toolCallId}`];
    });
  },
  broken: [
    drop("tool_execution_start"),
    drop("tool_execution_end"),
    double("tool_execution_end"),
    swap("tool_execution_update", "tool_execution_end"),
  ],
};

const T10: AgentInvariant = {
  id: "INV-T10",
  statement: "every tool call in the transcript has exactly one result, unless its message failed",
  violations: ({ messages }) => {
    const due: string[] = [];
    const faults = messages.flatMap((message) => {
      if (message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted") {
        due.push(...message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : [])));
      }
      if (message.role !== "toolResult") return [];
      const place = due.indexOf(message.toolCallId);
      if (place >= 0) due.splice(place, 1);
      return place >= 0 ? [] : [`a result of ${message.toolCallId} too many`];
    });
    return [...faults, ...due.map((id) => `no result of ${id}`)];
  },
  broken: [
    { name: "without a result", apply: (run) => eachResult(run, () => []) },
    { name: "with a result twice", apply: (run) => eachResult(run, (result) => [result, result]) },
  ],
};

function eachResult(run: AgentRun, by: (result: AgentRun["messages"][number]) => AgentRun["messages"]) {
  return run.messages.flatMap((message, n) =>
    message.role === "toolResult" ? [{ ...run, messages: run.messages.toSpliced(n, 1, ...by(message)) }] : [],
  );
}

/** Sections 9.1 and 9.3 over Pi's events. */
export const EVENT_INVARIANTS: readonly AgentInvariant[] = [G1, G2, G3, G4, G5, G6, G7, G8, T2, T10];
