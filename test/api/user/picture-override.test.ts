/**
 * A POST that says `_method=PATCH` is a PATCH in every respect: scope, limit and state (Interface
 * §4.2); each of the three operations has five a minute for an account; an Idempotency-Key is
 * honoured on the POST (Decision 0006).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Scope } from "../../../src/kit/scopes.ts";
import { auditsOf } from "../../../testkit/auth.ts";
import { type Holder, signedIn } from "../../../testkit/banks.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { multipart, pictureForm } from "../../../testkit/pictures.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { CREATED, EXISTS, GOOD, kept, NONE, OK, OTHER, picture, told } from "./picture-support.ts";

const SCOPE_REFUSED = [403, { message: "Invalid scope(s) provided." }];
const AS_PATCH = pictureForm(OTHER, "PATCH");

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const withScope = async (who: Holder, scope: Scope) => mintToken(service.ctx, who, [scope]);

describe("POST with _method=PATCH", () => {
  test("replaces the picture there is, and is told when there is none", async () => {
    const who = await signedIn(service);
    assert.deepEqual(told(await picture(service, who, "POST", AS_PATCH)), NONE);
    await picture(service, who, "POST", GOOD);
    const earlier = await kept(service, who);
    assert.deepEqual(told(await picture(service, who, "POST", AS_PATCH)), OK);
    assert.notEqual((await kept(service, who))?.picture_id, earlier?.picture_id);
    assert.equal(await auditsOf(service, who, "picture_replaced"), 1);
  });

  test("may say so after the file", async () => {
    const who = await signedIn(service);
    await picture(service, who, "POST", GOOD);
    const parts = [
      { name: "picture", content: OTHER },
      { name: "_method", content: "PATCH", fileName: null },
    ];
    const answer = await picture(service, who, "POST", { raw: multipart(parts) });
    assert.deepEqual(told(answer), OK);
  });

  test("needs the scope of PATCH, and only that", async () => {
    const who = await signedIn(service);
    await picture(service, who, "POST", GOOD);
    const creator = await withScope(who, "svc-user-create");
    const updater = await withScope(who, "svc-user-update");
    const earlier = await kept(service, who);
    assert.deepEqual(told(await picture(service, creator, "POST", AS_PATCH)), SCOPE_REFUSED);
    assert.deepEqual(await kept(service, who), earlier);
    assert.deepEqual(told(await picture(service, updater, "POST", AS_PATCH)), OK);
  });

  test("leaves a plain POST to the scope of POST", async () => {
    const who = await signedIn(service);
    const updater = await withScope(who, "svc-user-update");
    const creator = await withScope(who, "svc-user-create");
    assert.deepEqual(told(await picture(service, updater, "POST", GOOD)), SCOPE_REFUSED);
    assert.equal(await kept(service, who), undefined);
    assert.deepEqual(told(await picture(service, creator, "POST", GOOD)), CREATED);
  });

  for (const method of ["DELETE", "patch", "PUT", "GET"])
    test(`is the only one: _method=${method} changes nothing`, async () => {
      const who = await signedIn(service);
      const sent = pictureForm(GOOD, method);
      const refused = [400, { message: "The _method must be PATCH." }];
      assert.deepEqual(told(await picture(service, who, "POST", sent)), refused);
      assert.equal(await kept(service, who), undefined);
      assert.deepEqual(told(await picture(service, who, "POST", GOOD)), CREATED);
      const before = await kept(service, who);
      assert.deepEqual(told(await picture(service, who, "POST", sent)), refused);
      assert.deepEqual(await kept(service, who), before);
    });

  test("is nothing when it is empty", async () => {
    const who = await signedIn(service);
    const sent = pictureForm(GOOD, "");
    assert.deepEqual(told(await picture(service, who, "POST", sent)), CREATED);
    assert.deepEqual(told(await picture(service, who, "POST", sent)), EXISTS);
  });

  test("is honoured in JSON and form data too, which have no file", async () => {
    for (const sent of [{ json: { _method: "PATCH" } }, { form: { _method: "PATCH" } }]) {
      const who = await signedIn(service);
      assert.deepEqual(told(await picture(service, who, "POST", sent)), NONE);
    }
  });
});

describe("five a minute", () => {
  let limited: TestService;
  before(async () => {
    limited = await startService({
      settings: {
        LIMIT_PICTURE_CREATE: "5",
        LIMIT_PICTURE_UPDATE: "5",
        LIMIT_PICTURE_DELETE: "5",
      },
    });
  });
  after(() => limited.stop());

  const statuses = async (who: Holder, method: "POST" | "PATCH" | "DELETE", sent = {}) => {
    const found: number[] = [];
    for (let i = 0; i < 6; i++) found.push((await picture(limited, who, method, sent)).status);
    return found.join();
  };

  test("for each operation on its own, by account and not by credential", async () => {
    const who = await signedIn(limited);
    const again = await mintToken(limited.ctx, who, ["svc-user-all"]);
    assert.equal(await statuses(who, "POST", pictureForm(GOOD)), "201,409,409,409,409,429");
    assert.equal((await picture(limited, again, "POST", GOOD)).status, 429);
    assert.equal(await statuses(who, "PATCH", pictureForm(GOOD)), "200,200,200,200,200,429");
    assert.equal(await statuses(who, "DELETE"), "200,400,400,400,400,429");
    const other = await signedIn(limited);
    assert.equal((await picture(limited, other, "POST", GOOD)).status, 201);
    await limited.clock.advance({ seconds: 61 });
    assert.equal((await picture(limited, who, "POST", GOOD)).status, 201);
  });

  test("a POST that is a PATCH counts as a PATCH", async () => {
    const who = await signedIn(limited);
    assert.equal(await statuses(who, "POST", AS_PATCH), "400,400,400,400,400,429");
    assert.equal((await picture(limited, who, "PATCH", GOOD)).status, 429);
    const answer = await picture(limited, who, "POST", GOOD);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("x-ratelimit-limit"), "5");
    assert.equal(answer.headers.get("x-ratelimit-remaining"), "4");
  });
});

describe("an Idempotency-Key", () => {
  const keyed = (file: Buffer, key: string) => ({
    ...pictureForm(file),
    headers: { "idempotency-key": key },
  });

  test("gives the first 201 again, and one picture", async () => {
    const who = await signedIn(service);
    const first = await picture(service, who, "POST", keyed(GOOD, "a"));
    const earlier = await kept(service, who);
    const again = await picture(service, who, "POST", keyed(GOOD, "a"));
    assert.deepEqual([told(first), told(again)], [CREATED, CREATED]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.deepEqual(await kept(service, who), earlier);
    assert.deepEqual(told(await picture(service, who, "POST", keyed(GOOD, "b"))), EXISTS);
  });

  test("is not for another file", async () => {
    const who = await signedIn(service);
    await picture(service, who, "POST", keyed(GOOD, "a"));
    assert.equal((await picture(service, who, "POST", keyed(OTHER, "a"))).status, 422);
  });

  test("is free again after a refusal", async () => {
    const who = await signedIn(service);
    const refused = await picture(service, who, "POST", keyed(Buffer.from("x"), "a"));
    assert.equal(refused.status, 400);
    assert.deepEqual(told(await picture(service, who, "POST", keyed(GOOD, "a"))), CREATED);
  });
});
