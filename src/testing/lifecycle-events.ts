/** The types of the events of Pi's Agent (spec 2.1). */
export const LIFECYCLE_EVENTS = [
  "agent_start",
  "turn_start",
  "message_start",
  "message_update",
  "message_end",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "turn_end",
  "agent_end",
] as const;
