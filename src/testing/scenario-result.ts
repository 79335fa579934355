import { type Static, Type } from "typebox";

const strings = () => Type.Array(Type.String());

/** What a scenario did: the lines and briefs of the recordings. */
export const ScenarioResultSchema = Type.Object(
  {
    events: strings(),
    /** For each request to the model, the briefs of the messages that it was given. */
    requests: Type.Array(strings()),
    /** What commands were refused with, in order. */
    errors: strings(),
    final: Type.Object(
      { messages: strings(), steering: strings(), followUp: strings() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export type ScenarioResult = Static<typeof ScenarioResultSchema>;
