import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { SystemMessage, Tool } from "@earendil-works/pi-ai";

/** What the model is told of a tool: no code and no display fields, and its parameters as a copy in plain JSON. */
export function toolDeclaration(tool: Tool): Tool {
  const { name, description, constrainedSampling } = tool;
  return {
    name,
    description,
    parameters: JSON.parse(schemaText(tool)),
    ...(constrainedSampling === undefined ? {} : { constrainedSampling }),
  };
}

/**
 * The tools that a transcript declares to the model, kept up to date message by message: nobody has to read the
 * transcript again. In the order of declaration; a tool declared anew keeps its place unless it was removed before.
 */
export class DeclaredTools {
  readonly #tools: Map<string, Tool>;

  private constructor(tools: Iterable<readonly [string, Tool]>) {
    this.#tools = new Map(tools);
  }

  /** The tools that these messages declare. */
  static of(messages: Iterable<{ readonly role: string }>): DeclaredTools {
    return new DeclaredTools([]).with(messages);
  }

  /** Takes the next message of the transcript; only a system message says anything of tools. */
  apply(message: { readonly role: string }): void {
    if (!isSystemMessage(message)) return;
    for (const { name } of message.toolsRemoved ?? []) this.#tools.delete(name);
    for (const tool of message.toolsAdded ?? []) this.#tools.set(tool.name, tool);
  }

  /** What is declared once these messages follow as well. */
  with(messages: Iterable<{ readonly role: string }>): DeclaredTools {
    const tools = new DeclaredTools(this.#tools);
    for (const message of messages) tools.apply(message);
    return tools;
  }

  /** Whether exactly these tools are declared, as they are now. */
  match(tools: readonly Tool[]): boolean {
    const names = new Set(tools.map(({ name }) => name));
    if (names.size !== tools.length || names.size !== this.#tools.size) return false;
    return tools.every((tool) => {
      const declared = this.#tools.get(tool.name);
      if (declared === undefined || declared.description !== tool.description) return false;
      return declarationText(declared) === declarationText(tool);
    });
  }

  list(): Tool[] {
    return [...this.#tools.values()];
  }
}

/**
 * What to inject so that the model knows exactly the tools that can run: `pending` itself when it does already, else a
 * list in which the last system message tells the difference, or in which a new one does (spec E7). Messages that need
 * no change stay the same objects. The cost is that of `tools` and `pending`; the tools are compared as they are now,
 * so a schema that was changed in place is noticed.
 *
 * @param now The time of a new system message, in milliseconds since 1970.
 */
export function declareToolChanges(
  declared: DeclaredTools,
  tools: readonly Tool[],
  pending: AgentMessage[],
  now: number,
): AgentMessage[] {
  const place = pending.findLastIndex(isSystemMessage);
  if (place < 0 && declared.match(tools)) return pending;
  const told = pending[place] as SystemMessage | undefined;
  const others = told ? pending.toSpliced(place, 1) : pending;
  const changes = toolChanges(declared.with(others).list(), tools);
  const unchanged = changes.toolsAdded.length === 0 && changes.toolsRemoved.length === 0;
  if (!told)
    return unchanged ? pending : [withChanges({ role: "system", content: "", timestamp: now }, changes), ...pending];
  if (unchanged && !told.toolsAdded?.length && !told.toolsRemoved?.length) return pending;
  return pending.with(place, withChanges(told, changes));
}

type ToolChanges = Required<Pick<SystemMessage, "toolsAdded" | "toolsRemoved">>;

/**
 * The difference of two tool sets; a tool that is declared in another way is both removed and added. Of runnable tools
 * with one name, each is compared for addition and the last one for removal, as in Pi.
 */
function toolChanges(declared: readonly Tool[], runnable: readonly Tool[]): ToolChanges {
  const texts = runnable.map(declarationText);
  const now = new Map(runnable.map(({ name }, n) => [name, texts[n]]));
  const before = new Map<string, string>();
  for (const tool of declared) if (now.has(tool.name)) before.set(tool.name, declarationText(tool));
  return {
    toolsAdded: runnable.filter(({ name }, n) => before.get(name) !== texts[n]).map(toolDeclaration),
    toolsRemoved: declared
      .filter(({ name }) => !now.has(name) || now.get(name) !== before.get(name))
      .map(({ name }) => ({ name })),
  };
}

/** All that the model is told of a tool in one text: equal for tools that declare the same. */
function declarationText(tool: Tool): string {
  const { description, constrainedSampling } = tool;
  return JSON.stringify({ description, constrainedSampling }) + schemaText(tool);
}

function schemaText({ parameters }: Tool): string {
  const text: string | undefined = JSON.stringify(parameters);
  if (text === undefined) throw new SyntaxError('"undefined" is not valid JSON');
  return text;
}

/** The message with other tool fields; an empty list is left out. */
function withChanges(message: SystemMessage, { toolsAdded, toolsRemoved }: ToolChanges): SystemMessage {
  const { toolsAdded: _added, toolsRemoved: _removed, ...rest } = message;
  return {
    ...rest,
    ...(toolsAdded.length > 0 ? { toolsAdded } : {}),
    ...(toolsRemoved.length > 0 ? { toolsRemoved } : {}),
  };
}

function isSystemMessage(message: { readonly role: string }): message is SystemMessage {
  return message.role === "system";
}
