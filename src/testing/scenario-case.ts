import { type Static, Type } from "typebox";
import { ScenarioSchema } from "./scenario.ts";
import { ScenarioResultSchema } from "./scenario-result.ts";

/** A scenario with what is known of it. Other fields are notes of whoever recorded it. */
export const ScenarioCaseSchema = Type.Object({
  scenario: ScenarioSchema,
  /** What an agent must do. */
  expected: Type.Optional(ScenarioResultSchema),
  /** Name of the rule by which `expected` differs from what Pi does. */
  deviation: Type.Optional(Type.String()),
  /** What Pi did where something else is expected; nothing reads it. */
  piDoes: Type.Optional(Type.Unknown()),
  /** What Pi does is a fault, and there is nothing to expect. */
  hole: Type.Optional(Type.Boolean()),
});

export type ScenarioCase = Static<typeof ScenarioCaseSchema>;
