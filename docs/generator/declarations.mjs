/** A value whose text is longer than this many lines is not shown. */
const LONGEST_VALUE = 24;

/**
 * The declarations of a module by name: kind, docstring, signature, and the type names that the signature uses.
 */
export function declarationsOf({ file, text, program, comments }) {
  const docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
  const docBefore = (node) => docs.find(({ end }) => end <= node.start && text.slice(end, node.start).trim() === "");
  const found = program.body.flatMap((statement) => {
    const node = statement.declaration ?? statement;
    const read = READERS[node.type];
    if (!read) return [];
    const { name, kind, signature, parts } = read(node, text, docBefore);
    return [{ file, name, kind, signature, doc: textOf(docBefore(statement)), uses: [...typeNames(parts)] }];
  });
  return new Map(found.map((declaration) => [declaration.name, declaration]));
}

const READERS = {
  FunctionDeclaration: (node, text) => ({
    name: node.id.name,
    kind: "function",
    signature: upTo(node, node.body, text),
    parts: [node.params, node.returnType, node.typeParameters],
  }),
  TSInterfaceDeclaration: asTypeIsWritten,
  TSTypeAliasDeclaration: asTypeIsWritten,
  ClassDeclaration: readClass,
  VariableDeclaration: readValue,
};

function asTypeIsWritten(node, text) {
  return { name: node.id.name, kind: "type", signature: text.slice(node.start, node.end), parts: [node] };
}

function readClass(node, text, docBefore) {
  const members = node.body.body.filter(isPublic);
  const lines = members.map((member) => {
    const doc = docBefore(member);
    const comment = doc ? `${text.slice(doc.start, doc.end)}\n  ` : "";
    return `  ${comment}${memberSignature(member, text)}`;
  });
  return {
    name: node.id.name,
    kind: "class",
    signature: `${text.slice(node.start, node.body.start).trim()} {\n${lines.join("\n\n")}\n}`,
    parts: [
      node.superClass?.type === "Identifier" ? [{ type: "TSTypeReference", typeName: node.superClass }] : [],
      node.implements,
      ...members
        .filter(({ kind }) => kind !== "constructor")
        .map(({ value, typeAnnotation }) => [typeAnnotation, value?.params, value?.returnType]),
    ],
  };
}

function isPublic({ key, accessibility = "public" }) {
  return key?.type !== "PrivateIdentifier" && accessibility === "public";
}

function memberSignature(member, text) {
  if (member.value?.type === "FunctionExpression") return upTo(member, member.value.body, text);
  const end = member.value && member.typeAnnotation ? member.typeAnnotation.end : member.end;
  return `${text.slice(member.start, end).replace(/;$/, "")};`;
}

function readValue(node, text) {
  const [{ id, init }] = node.declarations;
  const whole = text.slice(node.start, node.end).replace(/;$/, "");
  const typed = id.typeAnnotation ? `const ${text.slice(id.start, id.end)}` : undefined;
  if (init?.type === "ArrowFunctionExpression") {
    const parts = [init.params, init.returnType];
    return { name: id.name, kind: "function", signature: typed ?? `${upTo(node, init.body, text)} …`, parts };
  }
  const shown = whole.split("\n").length <= LONGEST_VALUE && !/^Call|=>/.test(init ? init.type + whole : "");
  const signature = shown ? `${whole};` : typed ? `${typed};` : `const ${id.name} = …;`;
  return { name: id.name, kind: "value", signature, parts: [id.typeAnnotation] };
}

/** The text of a declaration without its body. */
function upTo(node, body, text) {
  return `${text
    .slice(node.start, body?.start ?? node.end)
    .trim()
    .replace(/;$/, "")};`;
}

/** The names of the types in a part of the tree. Bodies of functions are no part of a signature. */
function* typeNames(node) {
  if (Array.isArray(node)) {
    for (const item of node) yield* typeNames(item);
    return;
  }
  if (typeof node !== "object" || node === null || node.type === "BlockStatement") return;
  if (node.type === "TSTypeReference" && node.typeName.type === "Identifier") yield node.typeName.name;
  if (node.type === "TSInterfaceHeritage" || node.type === "TSClassImplements") yield node.expression.name;
  for (const value of Object.values(node)) if (typeof value === "object") yield* typeNames(value);
}

/** A docstring without its stars. */
function textOf(comment) {
  if (!comment) return "";
  return comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}
