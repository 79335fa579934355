import type { JsonPath } from "./json-path.ts";
import { JsonTextError, LocatedJson } from "./located-json.ts";
import { type ParsedScenario, parseEntry, type ScenarioEntry } from "./scenario-entry.ts";
import { ScenarioError } from "./scenario-error.ts";

/**
 * The scenarios of a file's text: in a `.json` file one or a list of them, in any other one on each line. Each is a bare
 * scenario or a case `{ scenario, expected?, deviation?, … }`.
 *
 * @param file The file's name, for its kind and for errors.
 * @throws ScenarioError for the first thing that is wrong.
 */
export function parseScenarios(text: string, file: string): readonly ParsedScenario[] {
  const content = text.replace(/^\uFEFF/, "");
  const entries = file.toLowerCase().endsWith(".json") ? documentEntries(content, file) : lineEntries(content, file);
  if (entries.length === 0) {
    throw new ScenarioError("scenario-file-empty", { file, line: 1, path: [] }, "there is no scenario in this file");
  }
  return entries.map(parseEntry);
}

function documentEntries(text: string, file: string): readonly ScenarioEntry[] {
  if (text.trim() === "") return [];
  const json = readJson(text, file, 1);
  const lineOf = (path: JsonPath) => json.lineOf(path);
  if (!Array.isArray(json.value)) return [{ value: json.value, path: [], file, lineOf }];
  return json.value.map((value, n) => ({ value, path: [n], file, lineOf }));
}

function lineEntries(text: string, file: string): readonly ScenarioEntry[] {
  return text.split("\n").flatMap((content, n) => {
    if (content.trim() === "") return [];
    const line = n + 1;
    return [{ value: readJson(content, file, line).value, path: [], file, lineOf: () => line }];
  });
}

function readJson(text: string, file: string, firstLine: number): LocatedJson {
  try {
    return new LocatedJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { path, line, column, message } = error;
    const place = { file, line: firstLine + line - 1, path };
    throw new ScenarioError("scenario-not-json", place, `${message} (column ${column})`);
  }
}
