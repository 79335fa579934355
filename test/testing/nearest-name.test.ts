import { expect, test } from "vitest";
import { nearestName } from "../../src/testing/nearest-name.ts";

const NAMES = ["name", "model", "host", "hooks", "toolExecution", "turn_start"];

test.each([
  ["modle", "model"],
  ["MODEL", "model"],
  ["mode", "model"],
  ["hots", "host"],
  ["turn_strat", "turn_start"],
  ["toolexecutions", "toolExecution"],
  ["tool_execution", "toolExecution"],
  ["colour", undefined],
  ["x", undefined],
  ["", undefined],
  ["nmae_of_it", undefined],
])("%s means %s", (given, meant) => {
  expect(nearestName(given, NAMES)).toBe(meant);
});

test("where there are no names none is near", () => {
  expect(nearestName("model", [])).toBeUndefined();
});
