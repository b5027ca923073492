/**
 * The guarantee: of a redirect that is right, and of what a merchant's own code makes of it, the
 * verifier names what that code does otherwise (Decision 0054).
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { explainRedirect } from "../../../sdk/src/verify/explain-redirect.ts";
import type { RedirectFacts } from "../../../sdk/src/verify/explain-signature.ts";
import { HASH_KEY, KEYS, md5Of, REQUESTED, RESULT, redirectOf, SIGNING_SECRET } from "./support.ts";

const id = RESULT.transaction_id ?? "";

describe("of a merchant's own code it says what that did otherwise:", () => {
  const sorted = Object.entries(RESULT).sort(([a], [b]) => (a < b ? -1 : 1));
  const sign = (text: string, form: "hex" | "base64" = "hex") =>
    createHmac("sha256", SIGNING_SECRET).update(text).digest(form);
  const form = (pairs: [string, string][]) => new URLSearchParams(pairs).toString();
  const hash: [string, string] = ["hash", md5Of(id + REQUESTED + HASH_KEY)];
  const ways: [string, string, NonNullable<RedirectFacts["own"]>][] = [
    ["sorted nothing", "parameter_order", { signature: sign(form(Object.entries(RESULT))) }],
    [
      "signed the hash",
      "hash_signed_too",
      {
        signature: sign(form([...sorted, hash].sort(([a], [b]) => (a < b ? -1 : 1)))),
      },
    ],
    [
      "signed its own parameters",
      "own_parameters_signed_too",
      {
        signature: sign(
          form(
            [...sorted, ["shelf", "7"] as [string, string]].sort(([a], [b]) => (a < b ? -1 : 1)),
          ),
        ),
      },
    ],
    [
      "wrote %20",
      "space_as_percent",
      {
        signature: sign(
          sorted.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&"),
        ),
      },
    ],
    [
      "encoded nothing",
      "not_encoded",
      {
        signature: sign(sorted.map(([name, value]) => `${name}=${value}`).join("&")),
      },
    ],
    ["wrote base64", "digest_form", { signature: sign(form(sorted), "base64") }],
    ["hashed 1000", "total_not_two_decimals", { hash: md5Of(`${id}1000${HASH_KEY}`) }],
    ["hashed 1,000.00", "total_not_two_decimals", { hash: md5Of(`${id}1,000.00${HASH_KEY}`) }],
    ["hashed the paid total", "total_is_paid_one", { hash: md5Of(`${id}1036.70${HASH_KEY}`) }],
    [
      "hashed the signing secret",
      "keys_swapped",
      { hash: md5Of(`${id}${REQUESTED}${SIGNING_SECRET}`) },
    ],
    ["hashed the key first", "hash_order", { hash: md5Of(`${HASH_KEY}${id}${REQUESTED}`) }],
    ["wrote capital letters", "hash_case", { hash: hash[1].toUpperCase() }],
    ["signed another text", "other_text", { text: form(sorted).replace("TTD", "USD") }],
  ];
  for (const [name, code, own] of ways)
    test(`it ${name}`, async () => {
      const said = await explainRedirect(redirectOf(), { ...KEYS, own });
      assert.deepEqual([said.verified, said.mistakes.map((each) => each.code)], [true, [code]]);
    });

  test("nothing, when it did as we do", async () => {
    const own = { signature: sign(form(sorted)), hash: hash[1], text: form(sorted) };
    const said = await explainRedirect(redirectOf(), { ...KEYS, own });
    assert.deepEqual([said.verified, said.mistakes], [true, []]);
  });

  test("where the first byte differs, and what stands around it", async () => {
    const text = form(sorted);
    const own = { text: text.replace("currency=TTD", "currency=TTL") };
    const said = await explainRedirect(redirectOf(), { ...KEYS, own });
    const { byte, expected, given } = said.mistakes[0]?.difference ?? assert.fail("it shows none");
    assert.equal(byte, text.indexOf("TTD") + 2);
    assert.deepEqual([expected.character, given.character], ["D", "L"]);
    assert(text.includes(expected.before + expected.character + expected.after));
  });
});
