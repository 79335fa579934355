/** The first field by which a value is not an assistant message, or undefined when it is one. */
export function invalidReplyField(reply: unknown): string | undefined {
  if (!isRecord(reply)) return "it is not an object";
  if (reply.role !== "assistant") return "role is not assistant";
  if (typeof reply.stopReason !== "string") return "stopReason is not a string";
  if (!Array.isArray(reply.content)) return "content is not an array";
  for (const [index, block] of reply.content.entries()) {
    const field = invalidBlockField(block);
    if (field) return `content[${index}]${field}`;
  }
  return undefined;
}

function invalidBlockField(block: unknown): string | undefined {
  if (!isRecord(block) || typeof block.type !== "string") return " has no type";
  if (block.type !== "toolCall") return undefined;
  if (typeof block.id !== "string") return ".id is not a string";
  return typeof block.name === "string" ? undefined : ".name is not a string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
