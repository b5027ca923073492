/**
 * A picture is served to clients that know its address and to no other, as an image that can be
 * nothing but an image (Decision 0021).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { change } from "../../../testkit/auth.ts";
import { signedIn } from "../../../testkit/banks.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { GOOD, kept, OTHER, picture } from "./picture-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

async function added() {
  const who = await signedIn(service);
  await picture(service, who, "POST", GOOD);
  const row = await kept(service, who);
  assert(row !== undefined);
  return { who, row, address: `/pictures/${row.picture_id}` };
}

test("it is a PNG that no browser takes for anything else", async () => {
  const { row, address } = await added();
  const response = await fetch(service.url + address);
  assert.equal(response.status, 200);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), row.bytes);
  const EXPECTED = {
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-site",
    "cache-control": "private, max-age=300",
    "content-length": String(row.bytes.length),
  };
  for (const [name, value] of Object.entries(EXPECTED))
    assert.equal(response.headers.get(name), value, name);
});

test("it needs no credential, and a part of it is all of it", async () => {
  const { row, address } = await added();
  const headers = { range: "bytes=0-3" };
  const response = await fetch(service.url + address, { headers });
  assert.equal(response.status, 200);
  assert.equal((await response.arrayBuffer()).byteLength, row.bytes.length);
  const head = await fetch(service.url + address, { method: "HEAD" });
  assert.deepEqual([head.status, (await head.arrayBuffer()).byteLength], [200, 0]);
  assert.equal((await service.request(address, { token: "bad" })).status, 200);
});

test("addresses have 128 random bits and are never given twice", async () => {
  const ids = new Set<string>();
  const { who, row } = await added();
  ids.add(row.picture_id);
  for (let i = 0; i < 5; i++) {
    await picture(service, who, "PATCH", GOOD);
    ids.add((await kept(service, who))?.picture_id ?? "");
  }
  assert.equal(ids.size, 6);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});

describe("nothing is found", () => {
  test("at the address of a picture that was replaced or removed", async () => {
    const { who, row, address } = await added();
    await picture(service, who, "PATCH", OTHER);
    assert.equal((await service.request(address)).status, 404);
    const { picture_id } = (await kept(service, who)) ?? row;
    assert.equal((await service.request(`/pictures/${picture_id}`)).status, 200);
    await picture(service, who, "DELETE");
    assert.equal((await service.request(`/pictures/${picture_id}`)).status, 404);
  });

  test("of an account that was closed", async () => {
    const { who, address } = await added();
    await change(service, who, "closed");
    assert.equal((await service.request(address)).status, 404);
  });

  test("at an address that was changed or guessed", async () => {
    const { who, row } = await added();
    const id = row.picture_id;
    const last = id.endsWith("0") ? "1" : "0";
    const guesses = [
      id.slice(0, -1) + last,
      id.slice(0, -1),
      `${id}0`,
      `${id}.png`,
      `${id}%00`,
      `%2e%2e/${id}`,
      `${id}/..%2f`,
      "0".repeat(32),
      "f".repeat(64),
      "a".repeat(65),
      who.accountNumber,
      "%27%20or%201=1--",
      "_",
    ];
    for (const guess of guesses) {
      const answer = await service.request(`/pictures/${guess}`);
      assert([400, 404].includes(answer.status), `${guess} answered ${answer.status}`);
      assert.equal(answer.headers.get("content-type")?.startsWith("application/json"), true);
    }
    if (id.toUpperCase() !== id)
      assert.equal((await service.request(`/pictures/${id.toUpperCase()}`)).status, 404);
  });
});
