/**
 * The collections work (Decision 0052): on a fresh development world Newman runs the Postman one
 * from top to bottom, under the limits of a real service, and every request gets the answer that it
 * expects; the first requests of the `.http` file do, read by a reader of the test's own; and the
 * script by which Bruno signs a payment request makes a right signature.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, test } from "node:test";
import { runInNewContext } from "node:vm";
import newman, { type Summary } from "newman";
import { readHttpFile } from "./http-reader.ts";
import { startDemoService } from "./support.ts";

const service = await startDemoService();
after(() => service.stop());

const file = async (name: string) => {
  const answer = await fetch(`${service.url}/collections/windward-latest.${name}`);
  assert.equal(answer.status, 200);
  return answer.text();
};

const SIGNED = "Ask for a payment, signed";

/** Names of all requests in it, in order. */
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
}
const namesIn = (items: readonly Item[]): string[] =>
  items.flatMap(({ name, item }) => (item === undefined ? [name] : namesIn(item)));

test("Newman runs the Postman collection from top to bottom", async () => {
  const collection = JSON.parse(await file("postman_collection.json"));
  const apart = collection.item.at(-1);
  assert.equal(apart.name, "By hand");
  const { executions, failures } = (await run(collection)).run;
  const messages = failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
  const bodies = executions
    .filter(({ assertions = [] }) => assertions.some(({ error }) => error !== undefined))
    .map(({ item, response }) => `${item.name} ${response?.code} ${response?.stream}`);
  assert.deepEqual([...messages, ...bodies], []);
  assert.deepEqual(
    executions.map(({ item }) => item.name),
    namesIn(collection.item.slice(0, -1)),
  );
  assert(executions.every(({ assertions = [] }) => assertions.length === 1));
  assert(executions.some(({ item }) => item.name === SIGNED));
});

function run(collection: object): Promise<Summary> {
  return new Promise((resolve, reject) => {
    newman.run({ collection: structuredClone(collection), reporters: [] }, (error, summary) =>
      error === null ? resolve(summary) : reject(error),
    );
  });
}

test("the requests of the .http file are sent as it says, until a person is needed", async () => {
  const requests = readHttpFile(await file("http"));
  const paid = requests.findIndex(({ comments }) => comments.includes("Now open the `url`"));
  assert(paid > 5, "the file says where a person pays");
  const answers = new Map<string, unknown>();
  for (const request of requests.slice(0, paid)) {
    const { method, url, headers, body } = request.filledFrom(answers);
    const answer = await fetch(url, { method, headers, ...(body === "" ? {} : { body }) });
    const text = await answer.text();
    assert.equal(answer.status, request.expects, `${method} ${url}: ${text}`);
    if (request.name !== undefined) answers.set(request.name, JSON.parse(text));
  }
  assert.deepEqual(
    [...answers.keys()],
    ["post_auth_tokens", "post_webhooks", "post_plugins_payments_request"],
  );
});

interface BrunoItem {
  readonly name: string;
  readonly items: readonly { readonly name: string; readonly request: BrunoRequest }[];
}

interface BrunoRequest {
  readonly url: string;
  readonly body: { readonly json: string };
  readonly script: { readonly req: string };
}

/** Runs a script as Bruno does before it sends a request; gives the body that it sets. */
function runBruno({ body, script }: BrunoRequest, variables: Record<string, string>): unknown {
  let sent: unknown = JSON.parse(body.json);
  const runtime: Record<string, string> = { run: "bruno-1" };
  runInNewContext(`(() => { ${script.req} })()`, {
    bru: {
      getVar: (name: string) => runtime[name],
      getCollectionVar: (name: string) => variables[name],
    },
    req: {
      getBody: () => sent,
      setBody(set: unknown) {
        sent = set;
      },
    },
    require(name: string) {
      assert.equal(name, "crypto-js");
      const HmacSHA256 = (text: string, key: string) => ({
        toString: () => createHmac("sha256", key).update(text).digest("hex"),
      });
      return { HmacSHA256 };
    },
  });
  return sent;
}

test("the script of the Bruno collection signs what the service takes", async () => {
  const made = JSON.parse(await file("bruno.json"));
  const all = (made.items as BrunoItem[]).flatMap(({ items }) => items);
  const found = all.find(({ name }) => name === SIGNED);
  assert(found !== undefined);
  const entries = made.root.request.vars.req as { name: string; value: string }[];
  const variables = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
  const body = runBruno(found.request, variables) as Record<string, string>;
  assert.equal(body.order_id, "signed-bruno-1");
  const send = (fields: object) =>
    fetch(found.request.url.replace("{{baseUrl}}", service.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
  assert.equal((await send({ ...body, total: "200.00" })).status, 400);
  const answer = await send(body);
  assert.equal(answer.status, 200, await answer.text());
});
