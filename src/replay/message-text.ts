/** The text of a message: its string content, or its text blocks joined. */
export function messageText(message: unknown): string {
  const content = typeof message === "object" && message !== null && "content" in message ? message.content : "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block: unknown) => (isText(block) ? [block.text] : [])).join("");
}

function isText(block: unknown): block is { readonly text: string } {
  return (
    typeof block === "object" &&
    block !== null &&
    "type" in block &&
    block.type === "text" &&
    "text" in block &&
    typeof block.text === "string"
  );
}
