/** The way from the root of a JSON text to a value: field names and array positions. */
export type JsonPath = readonly (string | number)[];

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** A path as `$.host[2].when`; names that are not plain are quoted: `$.hooks.finishTurn["0"]`. */
export function formatPath(path: JsonPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return PLAIN_NAME.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`;
  }, "$");
}
