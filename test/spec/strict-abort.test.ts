import { describe, expect, test } from "vitest";
import { type Host, host, user } from "./host.ts";

const call = (id: string) => ({ id, tool: "work" });

/** s1, s2 and f1 are queued, then the run is aborted. */
const queueAndAbort = (h: Host) => () => {
  for (const text of ["s1", "s2"]) h.agent.steer(user(text));
  h.agent.followUp(user("f1"));
  h.agent.abort();
};

describe("abort in strict", () => {
  test("3.3 in strict the queues that an abort left go on with the next prompt, in their order", async () => {
    const h = host("strict", { model: [{ calls: [call("c1")] }] });
    h.on("turn_end", queueAndAbort(h));
    await h.prompt();
    await h.prompt("p2");
    const again = h.told.slice(h.told.indexOf("user:p2"));
    expect(again.filter((line) => line.startsWith("user:"))).toEqual(["user:p2", "user:s1", "user:s2", "user:f1"]);
    expect(h.leftovers).toEqual([]);
  });

  test("3.3 in strict the request of an aborted turn is not sent, and prepareRequest is not asked", async () => {
    let asked = 0;
    const h = host("strict", {
      model: [{ calls: [call("c1")] }],
      prepareRequest: () => {
        asked += 1;
      },
    });
    h.on("turn_end", queueAndAbort(h));
    await h.prompt();
    expect(h.requests).toHaveLength(1);
    expect(asked).toBe(1);
  });

  test("3.3 in strict an abort while the messages of a turn are told withholds its hook and its request", async () => {
    let asked = 0;
    const h = host("strict", {
      prepareRequest: () => {
        asked += 1;
      },
    });
    h.agent.steer(user("s"));
    h.on("message_end", () => h.agent.abort(), 2);
    await h.prompt();
    expect([asked, h.requests]).toEqual([0, []]);
    expect(h.told).toEqual(["user:p", "user:s", "assistant[aborted]:"]);
  });
});
