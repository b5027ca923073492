/**
 * The guarantee: the value of a field whose name says that it is a secret is masked, wherever the
 * field is; everything else, and the form of JSON, stays.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scrubFields } from "./scrub-fields.ts";

const json = (value: unknown) => scrubFields(JSON.stringify(value));

describe("a field with a secret name", () => {
  const VALUES = ["hunter2", 'a"b', "a\\", 'a\\"b', "}", "", 123, true, { a: "}" }, ["]", '"']];
  for (const value of VALUES)
    test(`is masked: ${JSON.stringify(value)}`, () => {
      const found = JSON.parse(json({ before: 1, password: value, after: [2] }));
      const expected = value === "" ? "" : "[masked]";
      assert.deepEqual(found, { before: 1, password: expected, after: [2] });
    });

  test("is masked in JSON inside of JSON, to any depth", () => {
    const inner = JSON.stringify({ otp: 'x"\\', note: "kept" });
    const found = json({ data: JSON.stringify({ data: inner, pin: "1234" }) });
    assert(!found.includes("1234") && !found.includes("x\\\\"));
    const outer = JSON.parse(JSON.parse(found).data);
    assert.deepEqual(outer.pin, "[masked]");
    assert.deepEqual(JSON.parse(outer.data), { otp: "[masked]", note: "kept" });
  });

  test("is masked in forms, queries and addresses", () => {
    const given = "a=1&access_token=abc.def&client%5Fsecret=x,y&b=2";
    assert.equal(scrubFields(given), "a=1&access_token=[masked]&client%5Fsecret=[masked]&b=2");
  });

  for (const name of "pass pwd user_pass dbPwd Passw0rd csc cv2 card_csc cardCv2 passwords".split(
    " ",
  ))
    test(`is masked as ${name}`, () => {
      assert.deepEqual(JSON.parse(json({ [name]: "hunter2" })), { [name]: "[masked]" });
    });

  test("is masked where the text was cut", () => {
    for (const rest of ['"hunt', '"hunter\\', '{"a":"hunt', '["hunt', "12"])
      assert(!/hunt|12/.test(scrubFields(`{"a":1,"password":${rest}`)), rest);
  });
});

test("other fields stay as they are", () => {
  const kept = {
    account_number: "1234567890",
    idempotency_key: "k-1",
    bank_account_type: "savings",
    kid: "0f3a9c5e7b1d2468ac",
    shipping: "by sea",
    passed: "yes",
    passport: "on file",
    boarding_passes: "2",
    compass: "north",
    class_code: "A",
    csc_office: "Port of Spain",
    description: "keys: three, tokens: none",
    empty: { password: null },
  };
  assert.deepEqual(JSON.parse(json(kept)), kept);
});

for (const unit of ["\\", '"', '":', "=", "key=", '{"key":', '\\"key\\":\\"', " ", "["])
  test(`a hostile text of ${unit} takes a moment, not for ever`, () => {
    const text = `key${unit.repeat(100_000)}`;
    const before = process.cpuUsage();
    scrubFields(text);
    // Its own time: a busy machine takes longer.
    assert(process.cpuUsage(before).user < 2_000_000);
  });
