/**
 * However many change a picture at once, on however many services: one order explains it all, what
 * is kept is one whole picture or none, and a credential that has ended keeps nothing (Decision
 * 0021).
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { auditsOf, change, countOf } from "../../../testkit/auth.ts";
import { type Holder, signedIn } from "../../../testkit/banks.ts";
import { pictureForm } from "../../../testkit/pictures.ts";
import { sendHalf, slowly } from "../../../testkit/slow-request.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { CREATED, EXISTS, GOOD, kept, NONE, OK, OTHER, picture, told } from "./picture-support.ts";

const { service, sibling, atOnce } = await startTwoServices();

const upload = ({ token }: Holder) => {
  return { method: "POST", path: "/user/picture", token, ...pictureForm(GOOD) };
};
const count = (answers: unknown[], wanted: unknown) =>
  answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(wanted)).length;

test("of 32 who add a picture at once one is told 201, 31 are told 409", async () => {
  const who = await signedIn(service);
  const answers = await atOnce(32, async (one) => told(await picture(one, who, "POST", GOOD)));
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
  const answers = await atOnce(32, async (one) => told(await picture(one, who, "DELETE")));
  assert.deepEqual([count(answers, OK), count(answers, NONE)], [1, 31]);
  assert.equal(await kept(service, who), undefined);
});

test("adding, replacing and removing at once can be told in one order", async () => {
  const who = await signedIn(service);
  const methods = ["POST", "PATCH", "DELETE"] as const;
  const answers = await atOnce(30, async (one, turn) => {
    const method = methods[turn % 3] ?? "POST";
    const answer = await picture(one, who, method, method === "DELETE" ? {} : OTHER);
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
  const status = await slowly(service, upload(who), () => change(service, who, "closed"));
  assert.equal(status, 401);
  assert.equal(await kept(service, who), undefined);
});

test("an upload that ends after its token was revoked keeps nothing", async () => {
  const who = await signedIn(service);
  const status = await slowly(service, upload(who), async () => {
    const { token } = who;
    const answer = await sibling.request("/auth/tokens", { method: "DELETE", token });
    assert.equal(answer.status, 200);
  });
  assert.equal(status, 401);
  assert.equal(await kept(service, who), undefined);
});

test("a client that goes away in the middle of its upload leaves nothing behind", async () => {
  const who = await signedIn(service);
  (await sendHalf(service, upload(who))).abandon();
  assert.deepEqual(told(await picture(service, who, "POST", GOOD)), CREATED);
  const { logged } = service;
  assert(!logged.some((line) => line.includes("we are at fault")), logged.join("\n"));
});
