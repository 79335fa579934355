/**
 * The first reason why a value cannot stand in a transcript as a tool's result, or undefined when it can. A result
 * without content, and one that is not an object, can: Pi takes their content as empty.
 */
export function invalidResultField(result: unknown): string | undefined {
  try {
    return invalidField(result);
  } catch {
    // An accessor that throws, or a revoked proxy.
    return "its fields cannot be read";
  }
}

/** All that is read later is read once here, because an accessor may throw. */
function invalidField(result: unknown): string | undefined {
  const { content, details: _details, usage: _usage, terminate: _terminate } = result as Record<string, unknown>;
  if (content === undefined || content === null) return undefined;
  if (!Array.isArray(content)) return "content is not an array";
  for (const [index, block] of content.entries()) {
    const fault = invalidBlockField(block);
    if (fault) return `content[${index}]${fault}`;
  }
  return undefined;
}

function invalidBlockField(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return " is not an object";
  const { type, text } = block as Record<string, unknown>;
  if (typeof type !== "string") return " has no type";
  return type === "text" && typeof text !== "string" ? ".text is not a string" : undefined;
}
