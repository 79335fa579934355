import { expect, test } from "vitest";
import { firstDifference } from "../../src/testing/first-difference.ts";

const RESULT = {
  events: ["agent_start", "agent_end 0"],
  requests: [["user:a"]],
  errors: ["prompt: busy"],
  final: { messages: ["user:a"], steering: ["s"], followUp: [] },
};
const { final } = RESULT;

test.each([
  [{}, undefined],
  [{ events: ["agent_start"] }, { at: "events[1]", expected: "agent_end 0", actual: undefined }],
  [
    { events: ["agent_start", "x"], errors: [] },
    { at: "events[1]", expected: "agent_end 0", actual: "x" },
  ],
  [{ requests: [["user:a", "user:b"]] }, { at: "requests[0]", expected: '["user:a"]', actual: '["user:a","user:b"]' }],
  [{ requests: [["user:a"], []] }, { at: "requests[1]", expected: undefined, actual: "[]" }],
  [{ errors: [] }, { at: "errors[0]", expected: "prompt: busy", actual: undefined }],
  [{ final: { ...final, messages: [] } }, { at: "final.messages[0]", expected: "user:a", actual: undefined }],
  [{ final: { ...final, steering: ["t"] } }, { at: "final.steering[0]", expected: "s", actual: "t" }],
  [{ final: { ...final, followUp: ["f"] } }, { at: "final.followUp[0]", expected: undefined, actual: "f" }],
])("the first difference of %j", (change, difference) => {
  expect(firstDifference(RESULT, { ...structuredClone(RESULT), ...change })).toEqual(difference);
});
