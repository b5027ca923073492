/**
 * The guarantee: of a redirect that does not verify the verifier names the mistake that was made,
 * that one and no other, and the redirect as it was sent verifies (Decision 0054).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explainRedirect } from "../../../sdk/src/verify/explain-redirect.ts";
import type { RedirectFacts } from "../../../sdk/src/verify/explain-signature.ts";
import type { RedirectInput } from "../../../sdk/src/verify/redirect-parameters.ts";
import {
  addressOf,
  changedRedirect,
  HASH_KEY,
  KEYS,
  md5Of,
  REQUESTED,
  RESULT,
  redirectOf,
  SIGNING_SECRET,
  signatureOf,
} from "./support.ts";

const LIVE_SECRET = "LIVEliveLIVEliveLIVEliveLIVEliveLIVEliveLIV";
const OTHERS = [
  { name: "live", environment: "live", signingSecret: LIVE_SECRET, hashKey: "live-hash-key" },
  { name: "shop 2", signingSecret: "another-accounts-secret", hashKey: "another-key" },
] as const;

const query = (url: string) => new URL(url).search.slice(1);
const parsed = (url: string) => Object.fromEntries(new URL(url).searchParams);
const withoutHash = (facts: RedirectFacts) => ({ ...facts, hashKey: undefined as never });

type Case = [mistake: string, code: string, input: RedirectInput, facts?: RedirectFacts];

const id = RESULT.transaction_id ?? "";
const liveResult = { ...RESULT, transaction_id: "TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0" };
const failed = { ...RESULT, status: "failed" };
const SPACED = changedRedirect({}).replaceAll("%2B", "+");

const CASES: Case[] = [
  ["requested total as 1000", "total_not_two_decimals", redirectOf(), { requestedTotal: "1000" }],
  [
    "requested total as 1000.0",
    "total_not_two_decimals",
    redirectOf(),
    { requestedTotal: "1000.0" },
  ],
  [
    "requested total as 1,000.00",
    "total_not_two_decimals",
    redirectOf(),
    { requestedTotal: "1,000.00" },
  ],
  [
    "the paid total for the requested one",
    "total_is_paid_one",
    redirectOf(),
    { requestedTotal: "1036.70" },
  ],
  ["the total of another order", "other_total", redirectOf(), { requestedTotal: "990.00" }],
  ["total as a number", "total_rewritten", { ...parsed(redirectOf()), total: "1036.7" }],
  ["total with a comma", "total_rewritten", { ...parsed(redirectOf()), total: "1,036.70" }],
  [
    "the requested total for the paid one",
    "total_is_not_paid_one",
    changedRedirect({ total: "1000.00" }),
  ],
  [
    "the sandbox's key for a live result",
    "key_of_other_environment",
    redirectOf(liveResult, LIVE_SECRET),
    withoutHash({ others: OTHERS }),
  ],
  [
    "the live key for a sandbox result",
    "key_of_other_environment",
    redirectOf(),
    withoutHash({
      signingSecret: LIVE_SECRET,
      others: [{ name: "sandbox", environment: "sandbox", signingSecret: SIGNING_SECRET }],
    }),
  ],
  [
    "another account's key",
    "key_of_another_account",
    redirectOf(RESULT, "another-accounts-secret"),
    withoutHash({ others: OTHERS }),
  ],
  [
    "the account of the sandbox",
    "key_of_another_account",
    redirectOf(RESULT, "sandbox-signing-secret"),
    withoutHash({}),
  ],
  [
    "the keys in each other's place",
    "keys_swapped",
    redirectOf(),
    { signingSecret: HASH_KEY, hashKey: SIGNING_SECRET },
  ],
  [
    "a key with the end of its line",
    "key_has_white_space",
    redirectOf(),
    withoutHash({ signingSecret: `${SIGNING_SECRET}\n` }),
  ],
  [
    "a status that was changed",
    "parameter_changed",
    addressOf({ ...failed, status: "success", signature: signatureOf(failed) }),
    withoutHash({}),
  ],
  [
    "one digit of the order changed",
    "parameter_changed",
    changedRedirect({ order_id: "order 8+1" }),
  ],
  [
    "a known value that was changed",
    "parameter_changed",
    changedRedirect({ order_id: "mine" }),
    { known: { order_id: RESULT.order_id ?? "", currency: "TTD" } },
  ],
  ["a parameter left out", "parameter_missing", changedRedirect({ date: undefined })],
  [
    "a known parameter left out",
    "parameter_missing",
    changedRedirect({ message: undefined }),
    { known: { message: RESULT.message ?? "" } },
  ],
  [
    "an empty parameter left out",
    "empty_parameter_dropped",
    addressOf({ ...RESULT, signature: signatureOf({ ...RESULT, data: "", card: "" }), data: "" })
      .replace("&data=", "")
      .replace(/&card=[^&]*/, ""),
    withoutHash({}),
  ],
  ["a parameter added", "parameter_added", changedRedirect({ uuid: "7f9c24e8" })],
  ["a parameter twice", "parameter_repeated", `${redirectOf().replace("#top", "")}&status=success`],
  [
    "everything encoded twice",
    "doubly_encoded",
    `https://shop.example/paid?${query(redirectOf()).replaceAll("%", "%25")}`,
  ],
  [
    "the query as one value",
    "doubly_encoded",
    `https://shop.example/log?seen=${encodeURIComponent(query(redirectOf()))}`,
    withoutHash({}),
  ],
  ["a + that became a space", "plus_became_space", SPACED],
  [
    "a + left for a space",
    "plus_not_decoded",
    { ...parsed(redirectOf()), message: "[1-R00]:+Transaction+is+approved." },
  ],
  [
    "UTF-8 read as Latin-1",
    "wrong_charset",
    { ...parsed(redirectOf()), data: Buffer.from(RESULT.data ?? "").toString("latin1") },
  ],
  [
    "accents taken apart",
    "unicode_normalised",
    { ...parsed(redirectOf()), data: (RESULT.data ?? "").normalize("NFD") },
  ],
  [
    "quotes with backslashes",
    "slashes_added",
    { ...parsed(redirectOf()), data: (RESULT.data ?? "").replaceAll('"', '\\"') },
  ],
  [
    "the date written anew",
    "date_rewritten",
    { ...parsed(redirectOf()), date: "2026-11-15T15:03:07.412+01:00" },
  ],
  [
    "&amp; from a page",
    "ampersand_escaped",
    redirectOf().replaceAll("&", "&amp;"),
    withoutHash({}),
  ],
  ["no signature", "signature_missing", changedRedirect({ signature: undefined })],
  [
    "a hash on a failure",
    "hash_on_failure",
    redirectOf(failed).replace("#", `&hash=${"0".repeat(32)}#`),
  ],
  ["no hash on a success", "hash_missing", changedRedirect({ hash: undefined })],
  [
    "the hash in capitals",
    "hash_case",
    changedRedirect({ hash: md5Of(id + REQUESTED + HASH_KEY).toUpperCase() }),
  ],
  [
    "another hash key",
    "key_of_another_account",
    changedRedirect({ hash: md5Of(`${id}${REQUESTED}123`) }),
  ],
];

describe("a redirect as it was sent", () => {
  for (const [name, input] of [
    ["as an address", redirectOf()],
    ["as a query", query(redirectOf())],
    ["as a URL", new URL(redirectOf())],
    ["as parameters of a framework", parsed(redirectOf())],
  ] as const)
    test(`verifies ${name}, with nothing to say against it`, async () => {
      const said = await explainRedirect(input, { ...KEYS, others: OTHERS });
      assert.deepEqual([said.verified, said.mistakes, said.tried], [true, [], 2]);
    });

  test("verifies without a requested total, which is then found and told", async () => {
    const said = await explainRedirect(redirectOf(), {
      ...KEYS,
      requestedTotal: undefined as never,
    });
    assert.equal(said.verified, true);
    assert.match(said.notes.join(), /fits when 1000\.00 was asked for/);
  });
});

test("a long address with thousands of parameters is given up in time", async () => {
  const many = "&status=success".repeat(3_000);
  const began = performance.now();
  const said = await explainRedirect(
    changedRedirect({ signature: "00" }).replace("#", `${many}#`),
    {
      ...KEYS,
    },
  );
  assert.equal(said.verified, false);
  assert(performance.now() - began < 60_000, `${performance.now() - began} ms`);
});

describe("of a planted mistake the verifier names just that one:", () => {
  for (const [name, code, input, facts] of CASES)
    test(name, async () => {
      const said = await explainRedirect(input, { ...KEYS, ...facts });
      assert.deepEqual(
        { verified: said.verified, codes: said.mistakes.map((each) => each.code) },
        { verified: false, codes: [code] },
        said.summary,
      );
      assert(!JSON.stringify(said).includes(SIGNING_SECRET), "it shows a secret");
      assert(!JSON.stringify(said).includes(HASH_KEY), "it shows a key");
    });
});
