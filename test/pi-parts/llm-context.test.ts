import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultConvertToLlm, lazyTranscript } from "../../src/pi/llm-context.ts";

const ROLES = ["system", "user", "assistant", "toolResult", "custom", "note"];
const transcriptArb = fc
  .array(fc.constantFrom(...ROLES), { maxLength: 8 })
  .map((roles) => roles.map((role, n) => ({ role, content: `${n}`, timestamp: n }) as unknown as AgentMessage));
const known = (messages: readonly AgentMessage[]) => messages.filter(({ role }) => ROLES.indexOf(role) < 4);

describe("the model's context", () => {
  test.prop([transcriptArb])("has the messages of the four roles that models know", (messages) => {
    expect(defaultConvertToLlm(messages)).toEqual(known(messages));
  });

  test.prop([transcriptArb, transcriptArb])("is what stood there at the request, whatever follows", (before, after) => {
    const live = [...before];
    const context = lazyTranscript(live, live.length);
    live.push(...after);
    expect(context.messages).toEqual(known(before));
  });

  const user: AgentMessage = { role: "user", content: "hi", timestamp: 1 };
  const messages = [user, { ...user, role: "custom" } as unknown as AgentMessage, user];

  it("costs nothing until it is read, and is made once", () => {
    let reads = 0;
    const counted = new Proxy(messages, {
      get: (target, key, receiver) => {
        reads++;
        return Reflect.get(target, key, receiver);
      },
    });
    const context = lazyTranscript(counted, 3);
    expect(reads).toBe(0);
    const first = context.messages;
    const readsOnce = reads;
    expect(context.messages).toBe(first);
    expect(reads).toBe(readsOnce);
  });

  it("is a plain object to a reader", () => {
    const plain = { messages: [user, user] };
    const make = () => lazyTranscript(messages, 3);
    const { messages: destructured } = make();
    expect({ messages: destructured }).toStrictEqual(plain);
    expect({ ...make() }).toStrictEqual(plain);
    expect(Object.getOwnPropertyDescriptor({ ...make() }, "messages")).toHaveProperty("value");
    expect(JSON.stringify(make())).toBe(JSON.stringify(plain));
    expect(structuredClone(make())).toStrictEqual(plain);
    expect(Object.assign({}, make())).toStrictEqual(plain);
    expect(Object.entries(make())).toStrictEqual(Object.entries(plain));
    expect("messages" in make() && Object.hasOwn(make(), "messages")).toBe(true);
    expect(Object.getPrototypeOf(make())).toBe(Object.prototype);
  });

  it("takes an assignment and a push, as a plain object does", () => {
    const assigned = lazyTranscript(messages, 3);
    assigned.messages = [];
    expect(assigned.messages).toEqual([]);
    const pushed = lazyTranscript(messages, 3);
    pushed.messages.push({ role: "user", content: "more", timestamp: 2 });
    expect(pushed.messages).toHaveLength(3);
    expect(messages).toHaveLength(3);
  });
});
