/**
 * The collections work (Decision 0052): on a fresh development world Newman runs the Postman one
 * from top to bottom, under the limits of a real service, and every request gets the answer that it
 * expects; the first requests of the `.http` file do, read by a reader of the test's own.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
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
  const told = failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
  const bodies = executions
    .filter(({ assertions = [] }) => assertions.some(({ error }) => error !== undefined))
    .map(({ item, response }) => `${item.name} ${response?.code} ${response?.stream}`);
  assert.deepEqual([...told, ...bodies], []);
  assert.deepEqual(
    executions.map(({ item }) => item.name),
    namesIn(collection.item.slice(0, -1)),
  );
  assert(executions.every(({ assertions = [] }) => assertions.length === 1));
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
