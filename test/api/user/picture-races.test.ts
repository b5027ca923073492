/**
 * However many change a picture at once, on however many processes: one order explains it all, what
 * is kept is one whole picture or none, and a credential that has ended keeps nothing (Decision
 * 0021).
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { pictureForm } from "../../support/pictures.ts";
import { startService, type TestService } from "../../support/service.ts";
import { auditsOf, change, countOf } from "../auth/support.ts";
import { CREATED, EXISTS, GOOD, kept, NONE, OK, OTHER, picture, told } from "./picture-support.ts";
import { type Holder, signedIn } from "./support.ts";

let service: TestService;
let sibling: TestService;
before(async () => {
  service = await startService();
  sibling = await startService({ database: service.database });
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

const either = (turn: number) => (turn % 2 === 0 ? service : sibling);
const times = <T>(count: number, work: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
const count = (answers: unknown[], wanted: unknown) =>
  answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(wanted)).length;

test("of 32 who add a picture at once one is told 201, 31 are told 409", async () => {
  const who = await signedIn(service);
  const answers = await times(32, async (turn) =>
    told(await picture(either(turn), who, "POST", GOOD)),
  );
  assert.deepEqual([count(answers, CREATED), count(answers, EXISTS)], [1, 31]);
  assert.equal(
    await countOf(service, sql`pictures where account_number = ${who.accountNumber}`),
    1,
  );
  assert.equal(await auditsOf(service, who, "picture_created"), 1);
});

test("of 32 who remove a picture at once one is told 200, 31 are told that there is none", async () => {
  const who = await signedIn(service);
  await picture(service, who, "POST", GOOD);
  const answers = await times(32, async (turn) => told(await picture(either(turn), who, "DELETE")));
  assert.deepEqual([count(answers, OK), count(answers, NONE)], [1, 31]);
  assert.equal(await kept(service, who), undefined);
});

test("adding, replacing and removing at once can be told in one order", async () => {
  const who = await signedIn(service);
  const methods = ["POST", "PATCH", "DELETE"] as const;
  const answers = await times(30, async (turn) => {
    const method = methods[turn % 3] ?? "POST";
    const answer = await picture(either(turn), who, method, method === "DELETE" ? {} : OTHER);
    return `${method} ${answer.status}`;
  });
  const added = count(answers, "POST 201");
  const removed = count(answers, "DELETE 200");
  const isThere = (await kept(service, who)) !== undefined;
  assert.equal(added - removed, isThere ? 1 : 0, answers.join());
  const known = /^(POST (201|409)|PATCH (200|400)|DELETE (200|400))$/;
  assert(
    answers.every((answer) => known.test(answer)),
    answers.join(),
  );
  assert.equal(await auditsOf(service, who, "picture_replaced"), count(answers, "PATCH 200"));
});

test("an upload that ends after the account was closed keeps nothing", async () => {
  const who = await signedIn(service);
  const status = await slowUpload(who, () => change(service, who, "closed"));
  assert.equal(status, 401);
  assert.equal(await kept(service, who), undefined);
});

test("an upload that ends after its token was revoked keeps nothing", async () => {
  const who = await signedIn(service);
  const status = await slowUpload(who, async () => {
    const { token } = who;
    const answer = await sibling.request("/auth/tokens", { method: "DELETE", token });
    assert.equal(answer.status, 200);
  });
  assert.equal(status, 401);
  assert.equal(await kept(service, who), undefined);
});

test("a client that goes away in the middle of its upload leaves nothing behind", async () => {
  const who = await signedIn(service);
  const request = begin(who);
  request.once("error", () => {});
  await admitted(who);
  request.destroy();
  assert.deepEqual(told(await picture(service, who, "POST", GOOD)), CREATED);
  const { logged } = service;
  assert(!logged.some((line) => line.includes("we are at fault")), logged.join("\n"));
});

/** Sends half of an upload, and the rest when everything in `meanwhile` has happened. */
async function slowUpload(who: Holder, meanwhile: () => Promise<unknown>): Promise<number> {
  const request = begin(who);
  await admitted(who);
  await meanwhile();
  const { body } = pictureForm(GOOD).raw;
  request.end(body.slice(20));
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

function begin({ token }: Holder): http.ClientRequest {
  const { type, body } = pictureForm(GOOD).raw;
  const request = http.request(`${service.url}/user/picture`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": type,
      "content-length": body.length,
    },
  });
  request.write(body.slice(0, 20));
  return request;
}

/** By the time these are answered, the one that began before them has been admitted. */
async function admitted({ token }: Holder): Promise<void> {
  for (let i = 0; i < 3; i++) await service.request("/auth/whoami", { token });
}
