/**
 * An upload of somebody whom the page is not for is answered without its body being read: strangers
 * cannot fill the memory that all uploads share.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { converse } from "../../testkit/raw-http.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const LOGO = "/console/settings/business/logo";
const OPERATORS = "/operator/uploads/import-settlement";

/** Says that megabytes follow, and sends a few bytes of them. */
async function begin(path: string, tab?: Tab) {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(service.url).host}`,
    "content-type: multipart/form-data; boundary=x",
    "content-length: 4000000",
    `origin: ${service.url}`,
    ...(tab === undefined ? [] : [`cookie: ${tab.cookie}`]),
  ];
  const { answers, closedAfterMs } = await converse(
    service.url,
    `${lines.join("\r\n")}\r\n\r\n--x\r\n`,
    { waitMs: 15_000 },
  );
  return { answer: answers[0], closedAfterMs };
}

test("a stranger goes to the sign-in", async () => {
  for (const [path, signIn] of [
    [LOGO, "/sign-in"],
    ["/console/withdrawals/payees", "/sign-in"],
    [OPERATORS, "/operator/sign-in"],
  ] as const) {
    const { answer } = await begin(path);
    assert.equal(answer?.status, 303, path);
    assert.equal(answer.headers.get("location"), signIn);
    assert.equal(answer.headers.get("connection"), "close");
  }
});

test("somebody whose role lacks the page gets its 404", async () => {
  const { accountNumber } = await service.world.merchant();
  const viewer = await signInTo(service, await makeMember(service, accountNumber, "viewer"));
  assert.equal((await begin(LOGO, viewer)).answer?.status, 404);
  const support = await signInOperator(service, await makeOperator(service, "support"));
  assert.equal((await begin(OPERATORS, support)).answer?.status, 404);
});
