/**
 * Uploads that are under way: one account uses its share and no more; a client that has used up its
 * limits is refused before it sends the file, also when it asks first (`Expect: 100-continue`).
 */

import assert from "node:assert/strict";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import type { Scope } from "../../../src/kit/scopes.ts";
import { signedIn } from "../../../testkit/banks.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { pictureForm } from "../../../testkit/pictures.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import { CREATED, GOOD, picture, told } from "./picture-support.ts";

const MEGABYTE = 1024 * 1024;
const TOO_MANY = '{"message":"Too Many Attempts."}';

let service: TestService;
before(async () => {
  service = await startService({
    settings: { LIMIT_PICTURE_CREATE: "5", LIMIT_PICTURE_UPDATE: "5" },
  });
});
after(() => service.stop());

interface Begun {
  readonly request: http.ClientRequest;
  /** Status and body, once there is an answer. */
  readonly answer: Promise<[number | undefined, string]>;
}

/** An upload that says how large it will be, and sends no more than it is told to. */
function begin(token: string, more: http.OutgoingHttpHeaders = {}): Begun {
  const request = http.request(`${service.url}/user/picture`, {
    method: "POST",
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": pictureForm(GOOD).raw.type,
      "content-length": 5 * MEGABYTE,
      ...more,
    },
  });
  const answer = new Promise<[number | undefined, string]>((resolve, reject) => {
    request.once("response", async (response) =>
      resolve([response.statusCode, Buffer.concat(await response.toArray()).toString()]),
    );
    request.once("error", reject);
  });
  answer.catch(() => {});
  request.flushHeaders();
  return { request, answer };
}

test("one account that holds many open is refused, and the others are served", async () => {
  const holder = await signedIn(service);
  const held = Array.from({ length: 8 }, () => begin(holder.token));
  for (const { request } of held) request.write(Buffer.alloc(4 * MEGABYTE));
  const [status, body] = await Promise.race(held.map(({ answer }) => answer));
  assert.deepEqual([status, body], [429, TOO_MANY]);
  const other = await signedIn(service);
  assert.deepEqual(told(await picture(service, other, "POST", GOOD)), CREATED);
  for (const { request } of held) request.destroy();
  // What was held is given back with the connection.
  await until(
    async () => told(await picture(service, await signedIn(service), "POST", GOOD))[0] === 201,
    "uploads are taken again",
  );
});

describe("before the file is sent", () => {
  test("a client that has used up both limits gets 429", async () => {
    const { token } = await signedIn(service);
    for (const method of ["POST", "PATCH"] as const)
      for (let i = 0; i < 5; i++) await picture(service, { token }, method, GOOD);
    assert.deepEqual(await begin(token).answer, [429, TOO_MANY]);
  });

  test("a client that lacks both scopes is counted and gets 403, then 429", async () => {
    const who = await signedIn(service);
    const { token } = await mintToken(service.ctx, who, ["svc-user-retrieve" as Scope]);
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await begin(token).answer)[0]);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
  });

  test("a client that asks first gets 401 and not 100", async () => {
    let wasInvited = false;
    const { request, answer } = begin("no-token", { expect: "100-continue" });
    request.once("continue", () => {
      wasInvited = true;
    });
    assert.equal((await answer)[0], 401);
    assert.equal(wasInvited, false);
  });

  test("a client that asks first and is admitted gets 100, and its file is accepted", async () => {
    const { token } = await signedIn(service);
    const { raw } = pictureForm(GOOD);
    const body = Buffer.from(raw.body);
    const { request, answer } = begin(token, {
      expect: "100-continue",
      "content-type": raw.type,
      "content-length": body.length,
    });
    request.once("continue", () => request.end(body));
    assert.deepEqual(await answer, [201, '{"message":"Created"}']);
  });
});
