/**
 * The picture of an account is one or none, and its state is told before anything about the file
 * (Interface §3.1, §4.2, §7; Decision 0021). Every row of the table is tried with every kind of
 * file, and a refusal changes nothing.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { auditsOf } from "../../../testkit/auth.ts";
import { type Holder, signedIn } from "../../../testkit/banks.ts";
import { multipart, pictureForm, pngOfBytes, TYPE_SENTENCE } from "../../../testkit/pictures.ts";
import { type RequestOptions, startService, type TestService } from "../../../testkit/service.ts";
import { statusOfHead } from "../../../testkit/slow-request.ts";
import { CREATED, EXISTS, GOOD, kept, NONE, OK, OTHER, picture, told } from "./picture-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const REQUIRED = "The picture field is required.";
const MALFORMED = "The body is not valid multipart form data.";
const TOO_LARGE = "The picture may not be greater than 5 MB.";

/** Every kind of file, and the sentence when it is its turn; undefined for good ones. */
const FILES: Record<string, { sent: Omit<RequestOptions, "method">; sentence?: string }> = {
  "a good file": { sent: pictureForm(GOOD) },
  "a file of another type": { sent: pictureForm("%PDF-1.7"), sentence: TYPE_SENTENCE },
  "a damaged file": {
    sent: pictureForm(GOOD.subarray(0, 80)),
    sentence: "The picture is damaged: it cannot be read to its end.",
  },
  "a file that is too large": { sent: pictureForm(pngOfBytes(5_242_881)), sentence: TOO_LARGE },
  "a file that is much too large": {
    sent: pictureForm(Buffer.alloc(8_000_000)),
    sentence: TOO_LARGE,
  },
  "no file": { sent: { raw: multipart([]) }, sentence: REQUIRED },
  "no body": { sent: {}, sentence: REQUIRED },
  "an empty file": { sent: pictureForm(""), sentence: REQUIRED },
  JSON: { sent: { json: { picture: "x" } }, sentence: REQUIRED },
  "a form without files": { sent: { form: { picture: "x" } }, sentence: REQUIRED },
  "a broken form": {
    sent: { raw: { type: "multipart/form-data; boundary=x", body: "garbage" } },
    sentence: MALFORMED,
  },
};

describe("while there is no picture", () => {
  for (const [what, { sent, sentence }] of Object.entries(FILES)) {
    test(`PATCH with ${what} is told that there is none`, async () => {
      const who = await signedIn(service);
      assert.deepEqual(told(await picture(service, who, "PATCH", sent)), NONE);
      assert.equal(await kept(service, who), undefined);
    });

    if (sentence === undefined)
      test(`POST with ${what} adds it`, async () => {
        const who = await signedIn(service);
        assert.deepEqual(told(await picture(service, who, "POST", sent)), CREATED);
        assert.equal(await auditsOf(service, who, "picture_created"), 1);
        assert.notEqual(await kept(service, who), undefined);
      });
    else
      test(`POST with ${what} is told: ${sentence}`, async () => {
        const who = await signedIn(service);
        const answer = await picture(service, who, "POST", sent);
        assert.deepEqual(told(answer), [400, { message: sentence }]);
        assert.equal(await kept(service, who), undefined);
        assert.equal(await auditsOf(service, who, "picture_created"), 0);
      });
  }

  test("DELETE is told that there is none", async () => {
    const who = await signedIn(service);
    assert.deepEqual(told(await picture(service, who, "DELETE")), NONE);
    assert.equal(await auditsOf(service, who, "picture_removed"), 0);
  });
});

describe("while there is a picture", () => {
  let who: Holder;
  before(async () => {
    who = await signedIn(service);
    await picture(service, who, "POST", OTHER);
  });

  for (const [what, { sent, sentence }] of Object.entries(FILES)) {
    test(`POST with ${what} is told that there is one`, async () => {
      const earlier = await kept(service, who);
      assert.deepEqual(told(await picture(service, who, "POST", sent)), EXISTS);
      assert.deepEqual(await kept(service, who), earlier);
    });

    if (sentence === undefined)
      test(`PATCH with ${what} replaces it, and its address`, async () => {
        const earlier = await kept(service, who);
        assert.deepEqual(told(await picture(service, who, "PATCH", sent)), OK);
        const later = await kept(service, who);
        assert.notEqual(later?.picture_id, earlier?.picture_id);
        assert.notDeepEqual(later?.bytes, earlier?.bytes);
        assert.deepEqual(later?.created_at, earlier?.created_at);
        assert.equal(await auditsOf(service, who, "picture_replaced"), 1);
      });
    else
      test(`PATCH with ${what} is told: ${sentence}`, async () => {
        const earlier = await kept(service, who);
        const answer = await picture(service, who, "PATCH", sent);
        assert.deepEqual(told(answer), [400, { message: sentence }]);
        assert.deepEqual(await kept(service, who), earlier);
      });
  }

  test("DELETE removes it, once, and then it can be added again", async () => {
    const leaving = await signedIn(service);
    await picture(service, leaving, "POST", GOOD);
    assert.deepEqual(told(await picture(service, leaving, "DELETE")), OK);
    assert.equal(await kept(service, leaving), undefined);
    assert.deepEqual(told(await picture(service, leaving, "DELETE")), NONE);
    assert.deepEqual(told(await picture(service, leaving, "POST", GOOD)), CREATED);
    assert.equal(await auditsOf(service, leaving, "picture_removed"), 1);
  });

  test("somebody else has none", async () => {
    const other = await signedIn(service);
    assert.deepEqual(told(await picture(service, other, "DELETE")), NONE);
    assert.notEqual(await kept(service, who), undefined);
  });
});

for (const method of ["POST", "PATCH"])
  test(`${method} without a good credential is told so before any of the file is sent`, async () => {
    const request = { method, path: "/user/picture", token: "bad" };
    const head = { type: pictureForm(GOOD).raw.type, bytes: 5_000_000 };
    assert.equal(await statusOfHead(service, request, head), 401);
  });

test("the profile shows the address of the picture, and null without one", async () => {
  const who = await signedIn(service);
  const shown = async () =>
    (await service.request("/user/", { token: who.token })).body.data.profile_picture;
  assert.equal(await shown(), null);
  await picture(service, who, "POST", GOOD);
  const { picture_id } = (await kept(service, who)) ?? {};
  assert.equal(await shown(), `${service.ctx.config.http.publicUrl}/pictures/${picture_id}`);
  await picture(service, who, "DELETE");
  assert.equal(await shown(), null);
});
