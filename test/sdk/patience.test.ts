/**
 * No call of the SDK waits longer than it was told to, whatever answers it: what drips, what never
 * ends and what is no JSON. And no call means one record and reads a list.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createWindward, type WindwardOptions } from "../../sdk/src/windward.ts";
import { WindwardError } from "../../sdk/src/windward-error.ts";

const baseUrl = "http://127.0.0.1:1";
const PART = new Uint8Array(1024 * 1024).fill(120);

/** An answer whose headers are here and whose body never ends; it looks at no signal. */
function endless(status: number, type: string, part?: Uint8Array): Response {
  const body = new ReadableStream({
    pull: (stream) => (part ? stream.enqueue(part) : new Promise<void>(() => {})),
  });
  return new Response(body, { status, headers: { "content-type": type } });
}

async function lostOf(answer: () => Response, more: Partial<WindwardOptions> = {}) {
  const apiKey = "svc_test_x";
  const settings = { baseUrl, apiKey, timeoutSeconds: 0.1, retries: 1, ...more };
  const windward = createWindward({ ...settings, fetch: async () => answer() } as WindwardOptions);
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error("it waits for ever")), 3_000).unref();
  });
  const call = windward.GET("/auth/whoami").then(() => assert.fail("it was answered"));
  const error = await Promise.race([call, late]).catch((caught) => caught);
  assert(error instanceof WindwardError, String(error));
  return error.detail;
}

describe("an answer that never ends counts as lost after the time of a try:", () => {
  for (const [name, status, type] of [
    ["JSON", 200, "application/json"],
    ["a page of a proxy about an error", 502, "text/html"],
    ["a page that refuses", 403, "text/html"],
    ["a limit, as text", 429, "text/plain"],
  ] as const)
    test(name, async () => {
      assert.match(await lostOf(() => endless(status, type)), /it took too long/);
    });

  test("text, where every answer is read whole", async () => {
    const whole = { readsWhole: true };
    assert.match(await lostOf(() => endless(200, "text/plain"), whole), /it took too long/);
    assert.match(await lostOf(() => endless(200, "text/csv", PART), whole), /too l(ate|ong)/);
  });

  test("and is given up, so that a process can end", async () => {
    const given = Promise.withResolvers<void>();
    const cancel = () => given.resolve();
    const dripping = () => new ReadableStream({ pull: () => new Promise(() => {}), cancel });
    const type = { "content-type": "application/json" };
    await lostOf(() => new Response(dripping(), { headers: type }));
    await given.promise;
  });

  test("a sign-in that is no JSON", async () => {
    const signIn = { email: "a@example.com", password: "p", scopes: "s" };
    const more = { apiKey: undefined, ...signIn } as unknown as Partial<WindwardOptions>;
    assert.match(await lostOf(() => endless(200, "text/html"), more), /it took too long/);
  });
});

test("an answer without measure is given up, not kept", async () => {
  const more = { timeoutSeconds: 30, retries: 0 };
  const told = await lostOf(() => endless(500, "application/json", PART), more);
  assert.match(told, /its answer is too long/);
});

test("a success that is no JSON is handed on as it comes", async () => {
  const fetch = async () => endless(200, "text/csv", PART);
  const windward = createWindward({ baseUrl, apiKey: "svc_test_x", fetch });
  const { data } = await windward.client.GET("/transactions/", { parseAs: "stream" });
  const reader = (data as unknown as ReadableStream<Uint8Array>).getReader();
  assert.equal((await reader.read()).value?.byteLength, PART.byteLength);
  await reader.cancel();
});

describe("a record is not asked for by", () => {
  for (const id of ["", ".", "..", undefined])
    test(`${id === undefined ? "nothing" : `"${id}"`}, which would be the address of a list`, async () => {
      let sent = 0;
      const fetch = async () => {
        sent += 1;
        return Response.json({ message: "OK", data: [] });
      };
      const windward = createWindward({ baseUrl, apiKey: "svc_test_x", fetch });
      const params = { path: { transaction_id: id as string } };
      const asked = windward.GET("/transactions/{transaction_id}", { params });
      await assert.rejects(asked, /The transaction_id that goes into the path names nothing/);
      await assert.rejects(windward.deliveries(id as string).next(), WindwardError);
      assert.equal(sent, 0);
    });
});
