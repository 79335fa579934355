import { describe, expect, test } from "vitest";
import { parseScenarios } from "../../src/testing/parse-scenarios.ts";
import { ScenarioError } from "../../src/testing/scenario-error.ts";
import { recordedCases, recordingText } from "../conformance/recordings.ts";

const BARE = { name: "n", model: [{ text: "hi" }], host: [{ when: "start", do: "prompt", text: "go" }] };
const RESULT = { events: [], requests: [], errors: [], final: { messages: [], steering: [], followUp: [] } };

function refusal(text: string, file = "s.jsonl"): ScenarioError {
  try {
    parseScenarios(text, file);
  } catch (error) {
    if (error instanceof ScenarioError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

const refusedLine = (value: unknown) => refusal(JSON.stringify(value));
const withStep = (step: unknown) => ({ ...BARE, host: [step] });

describe("scenario files", () => {
  test.each([
    ["handwritten", 36],
    ["generated", 300],
  ] as const)("the %s recordings are read without a remark", (name, count) => {
    const cases = recordedCases(name);
    expect(cases).toHaveLength(count);
    expect(cases.flatMap(({ remarks }) => remarks)).toEqual([]);
    expect(cases.filter(({ expected }) => expected === undefined)).toEqual([]);
  });

  test("bare scenarios and cases stand on lines; empty lines, CRLF and a byte order mark do no harm", () => {
    const text = `\uFEFF${JSON.stringify(BARE)}\r\n\r\n${JSON.stringify({ scenario: BARE, expected: RESULT })}\r\n`;
    expect(parseScenarios(text, "s.jsonl")).toEqual([
      { scenario: BARE, file: "s.jsonl", line: 1, remarks: [] },
      { scenario: BARE, expected: RESULT, file: "s.jsonl", line: 3, remarks: [] },
    ]);
  });

  test("a .json file holds one scenario or a list, over many lines", () => {
    expect(parseScenarios(JSON.stringify(BARE, null, 2), "s.json")).toHaveLength(1);
    const two = parseScenarios(`[\n${JSON.stringify(BARE)},\n${JSON.stringify({ scenario: BARE })}\n]`, "s.JSON");
    expect(two.map(({ line }) => line)).toEqual([2, 3]);
  });

  test("everything that the format allows is accepted", () => {
    const everything = {
      name: "",
      about: "",
      queue: {},
      toolExecution: "parallel",
      tools: [{ name: "work", execution: "parallel" }],
      model: [
        {},
        { text: "", chunks: 0, takes: 0, calls: [], stop: "deferred", error: "", throws: "" },
        {
          calls: [
            {
              id: "a\nb",
              tool: "nowhere",
              args: { x: [1] },
              takes: 0,
              updates: 0,
              result: "",
              isError: false,
              throws: "",
              terminate: false,
              honorsAbort: false,
            },
          ],
        },
      ],
      hooks: {
        beforeToolCall: { "a\nb": { block: true, reason: "", terminate: true, throws: "" } },
        afterToolCall: { "a\nb": { text: "", isError: false, terminate: false, throws: "" } },
        finishTurn: { 1: "end", 20: "continue" },
      },
      host: [
        { when: { event: "tool_execution_update" }, do: "throw" },
        { when: { idle: 3 }, do: "followUpMode", mode: "all" },
      ],
    };
    expect(parseScenarios(JSON.stringify(everything), "s.jsonl")).toMatchObject([
      { scenario: everything, remarks: [] },
    ]);
  });

  test("replacement scenarios are recognised and refused, each with its line", () => {
    for (const line of recordingText("replacement").trim().split("\n")) {
      expect(refusal(`${JSON.stringify(BARE)}\n${line}`)).toMatchObject({
        code: "scenario-is-replacement",
        line: 2,
        path: "$.scenario",
      });
    }
    expect(refusedLine({ name: "r", steps: [] })).toMatchObject({ code: "scenario-is-replacement", path: "$" });
  });

  test.each([
    [
      "a misspelt field",
      { name: "n", modle: [], host: [] },
      "scenario-unknown-field",
      '$.modle: is not a field here; did you mean "model"?',
    ],
    ["a field from nowhere", { ...BARE, colour: 1 }, "scenario-unknown-field", "$.colour: is not a field here"],
    [
      "a misspelt case field",
      { scenario: BARE, expcted: RESULT },
      "scenario-unknown-field",
      '$.expcted: is not a field here; did you mean "expected"?',
    ],
    [
      "a misspelt scenario field",
      { scenarios: BARE },
      "scenario-unknown-field",
      '$.scenarios: is not a field here; did you mean "scenario"?',
    ],
    ["a missing field", { name: "n", model: [] }, "scenario-invalid", "$.host: is missing"],
    ["not an object", [], "scenario-invalid", "$: must be an object, not []"],
    [
      "a bad event",
      withStep({ when: { event: "turn_strat" }, do: "abort" }),
      "scenario-invalid",
      '$.host[0].when.event: must be one of agent_start, turn_start, message_start, message_update, message_end, tool_execution_start, tool_execution_update, tool_execution_end, turn_end, agent_end, not "turn_strat"; did you mean "turn_start"?',
    ],
    [
      "a bad moment",
      withStep({ when: "begin", do: "abort" }),
      "scenario-invalid",
      '$.host[0].when: must be "start", { "event": <event type>, "nth": <from 1> } or { "idle": <from 1> }, not "begin"',
    ],
    [
      "counting from zero",
      withStep({ when: { idle: 0 }, do: "abort" }),
      "scenario-invalid",
      "$.host[0].when.idle: must be 1 or more, not 0",
    ],
    ["a moment that is missing", withStep({ do: "abort" }), "scenario-invalid", "$.host[0].when: is missing"],
    [
      "a bad action",
      withStep({ when: "start", do: "stear", text: "x" }),
      "scenario-invalid",
      '$.host[0].do: must be one of prompt, continue, steer, followUp, abort, clearSteering, clearFollowUp, clearAll, steeringMode, followUpMode, reset, throw, not "stear"; did you mean "steer"?',
    ],
    [
      "a prompt without text",
      withStep({ when: "start", do: "prompt" }),
      "scenario-invalid",
      "$.host[0].text: is missing: prompt needs the text of its message",
    ],
    [
      "a mode step without mode",
      withStep({ when: "start", do: "steeringMode" }),
      "scenario-invalid",
      '$.host[0].mode: is missing: steeringMode needs "one-at-a-time" or "all"',
    ],
    [
      "a throw outside a listener",
      withStep({ when: "start", do: "throw" }),
      "scenario-invalid",
      "$.host[0].when: must be an event: throw makes the listener of an event throw",
    ],
    [
      "half a tick",
      { ...BARE, model: [{ takes: 0.5 }] },
      "scenario-invalid",
      "$.model[0].takes: must be a whole number, not 0.5",
    ],
    [
      "a call without tool",
      { ...BARE, model: [{ calls: [{ id: "c" }] }] },
      "scenario-invalid",
      "$.model[0].calls[0].tool: is missing",
    ],
    [
      "a turn that is no number",
      { ...BARE, hooks: { finishTurn: { last: "end" } } },
      "scenario-unknown-field",
      "$.hooks.finishTurn.last: is not a field here: it must be a turn number from 1",
    ],
    [
      "a bad expectation",
      { scenario: BARE, expected: { ...RESULT, errors: "" } },
      "scenario-invalid",
      '$.expected.errors: must be an array, not ""',
    ],
  ])("%s", (_, value, code, text) => {
    const error = refusedLine(value);
    expect(error.code).toBe(code);
    expect(error.message).toBe(`s.jsonl:1: ${text}`);
    expect(error.fix).not.toBe("");
  });

  test("a fault in a .json file has the line in which it stands", () => {
    const text = `[\n  {\n    "name": "n",\n    "model": [],\n    "host": [\n      { "when": "start",\n        "do": 3 }\n    ]\n  }\n]`;
    expect(refusal(text, "s.json")).toMatchObject({ line: 7, path: "$[0].host[0].do" });
  });

  test("text that is not JSON has line, column and path", () => {
    expect(refusal(`${JSON.stringify(BARE)}\n{"name": "n" "model": []}`).message).toBe(
      's.jsonl:2: $: "," or "}" is missing (column 14)',
    );
    expect(refusal('{\n"name": "n",\n"model": [,]\n}', "s.json").message).toBe(
      "s.json:3: $.model[0]: not a JSON value (column 11)",
    );
  });

  test.each(["", "\n \n", "[]"])("a file without a scenario is refused: %j", (text) => {
    expect(refusal(text, "s.json")).toMatchObject({ code: "scenario-file-empty", line: 1 });
  });

  test("what stands there without effect is remarked, and no more", () => {
    const value = {
      seed: 7,
      scenario: {
        ...BARE,
        model: [{ calls: [{ id: "c1", tool: "work" }] }, { calls: [{ id: "c1", tool: "work" }] }],
        hooks: { afterToolCall: { c2: { text: "x" } } },
        host: [{ when: "start", do: "abort", text: "why", mode: "all" }],
      },
    };
    expect(parseScenarios(JSON.stringify(value), "s.jsonl")[0]?.remarks).toEqual([
      "s.jsonl:1: $.seed: is not a field of a case and is ignored",
      's.jsonl:1: $.scenario.model[1].calls[0].id: call id "c1" stands twice; whenever it is called, the tool does what the last one says',
      "s.jsonl:1: $.scenario.hooks.afterToolCall.c2: no reply has a call with this id",
      "s.jsonl:1: $.scenario.host[0].text: abort has no text",
      "s.jsonl:1: $.scenario.host[0].mode: abort has no mode",
    ]);
  });
});
