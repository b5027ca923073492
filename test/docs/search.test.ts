/**
 * Search answers what newcomers ask: for each question the page that answers it is among the first
 * three. It is a page without scripts, and shows what was typed as text only.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { OTHER_WORDS } from "../../src/site/search/other-words.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

async function resultsOf(query: string): Promise<{ paths: string[]; text: string }> {
  const { status, text } = await service.request(
    `/docs/search?${new URLSearchParams({ q: query })}`,
  );
  assert.equal(status, 200);
  const [list = ""] = /<ol class="found">.*<\/ol>/s.exec(text) ?? [];
  return { paths: [...list.matchAll(/href="([^"]+)"/g)].map(([, path = ""]) => path), text };
}

/** By what somebody asks: any of the pages that answer it. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  "how do I verify a webhook signature": ["/docs/webhooks", "/docs/verify"],
  "test card numbers": ["/docs/testing", "/docs/sandbox"],
  refund: ["/docs/start", "/docs/reference/transactions"],
  "why is my hash wrong": ["/docs/verify", "/docs/coming-from-another-integration"],
  "what happens after 3 minutes": ["/docs/checkout"],
  "go live": ["/docs/going-live"],
  "save a card": ["/docs/trusted-cards"],
  "withdraw money": ["/docs/withdrawals"],
  "1.x": ["/docs/migrating"],
  "rate limit": ["/docs/going-live"],
  "who pays the fee": ["/docs/pricing", "/docs/checkout", "/docs/links"],
  "pay without a website": ["/docs/links"],
  "too many requests": ["/docs/errors/too_many_attempts", "/docs/going-live"],
  chargeback: ["/docs/events"],
  "when does my money arrive": ["/docs/withdrawals"],
  "sign up": ["/docs/going-live"],
  "open an account": ["/docs/going-live"],
  "how do I get paid": ["/docs/links", "/docs/withdrawals"],
  "change currency": ["/docs/links", "/docs/checkout"],
};

/** What a guide answers, before an error or a request. */
const GUIDES_FIRST: Readonly<Record<string, readonly string[]>> = {
  "how do I test webhooks locally": ["/docs/tool"],
  "localhost webhook": ["/docs/tool"],
  "refund an order": ["/docs/start", "/docs/console"],
  "where is my API key": ["/docs/console", "/docs/going-live", "/docs/start"],
  "exam grade": ["/docs/exam"],
  "what does it cost": ["/docs/pricing"],
  price: ["/docs/pricing"],
  prices: ["/docs/pricing"],
  fee: ["/docs/pricing"],
  fees: ["/docs/pricing"],
  cost: ["/docs/pricing"],
  costs: ["/docs/pricing"],
  "how much": ["/docs/pricing"],
  "port already in use": ["/docs/start", "/docs/testing"],
};

describe("a newcomer who asks", () => {
  for (const [question, answers] of Object.entries(QUESTIONS))
    test(`"${question}" finds the answer among the first three`, async () => {
      const { paths } = await resultsOf(question);
      const first = paths.slice(0, 3).map((path) => path.split("#")[0]);
      assert(
        answers.some((path) => first.includes(path)),
        `${answers.join(" or ")}, and found were ${paths.slice(0, 6).join(", ")}`,
      );
    });

  for (const [question, answers] of Object.entries(GUIDES_FIRST))
    test(`"${question}" finds the guide first`, async () => {
      const { paths } = await resultsOf(question);
      const first = paths[0]?.split("#")[0] ?? "";
      assert(answers.includes(first), `found were ${paths.slice(0, 6).join(", ")}`);
    });

  test("in words that a text does not have is led to a place that exists", async () => {
    for (const address of OTHER_WORDS.keys()) {
      const [path = "", place] = address.split("#");
      const { status, text } = await service.request(path);
      assert.equal(status, 200, address);
      assert(place === undefined || text.includes(` id="${place}"`), address);
    }
  });

  test("for an error by its code finds its page first", async () => {
    assert.equal(
      (await resultsOf("idempotency_mismatch")).paths[0],
      "/docs/errors/idempotency_mismatch",
    );
  });

  test("for a request by its path finds it in the reference", async () => {
    const { paths } = await resultsOf("POST /plugins/payments/request");
    assert(paths.slice(0, 3).some((path) => path.startsWith("/docs/reference/checkout#")));
  });

  test("with a typing mistake is understood", async () => {
    const { paths } = await resultsOf("withdrawel");
    assert(paths.slice(0, 3).some((path) => path.startsWith("/docs/withdrawals")));
  });
});

describe("an excerpt", () => {
  const excerptsOf = async (query: string) => {
    const { text } = await resultsOf(query);
    const found = [...text.matchAll(/<span class="excerpt">([^<]*)</g)];
    return found.map(([, words = ""]) => words);
  };

  test("is what a reader sees, without the signs of Markdown", async () => {
    for (const query of ["webhook", "refund", "npm start", "open an account", "live", "payment"])
      for (const words of await excerptsOf(query))
        assert.doesNotMatch(
          words,
          /\*\*|&lt;http|\]\(|^… &gt;|\( live \)|\| /,
          `${query}: ${words}`,
        );
  });

  test("has the word that was asked for, also where only the code has it", async () => {
    const [first = ""] = await excerptsOf("composer");
    assert.match(first, /composer/i);
  });
});

describe("what changed", () => {
  test("comes behind every page that says what is", async () => {
    for (const query of ["fee", "console", "payment links", "receipts"]) {
      const { paths } = await resultsOf(query);
      const at = paths.findIndex((path) => path.startsWith("/docs/changelog"));
      assert([-1, paths.length - 1].includes(at), `${query}: ${at} of ${paths.length}`);
    }
  });
});

describe("the page of results", () => {
  test("says so when nothing was found, and leads on", async () => {
    const { paths, text } = await resultsOf("xyzzyplugh");
    assert.deepEqual(paths, []);
    assert(text.includes("Nothing was found."));
    assert(text.includes('href="/docs/reference"'));
  });

  test("uses the first ten words of an endless list, fillers aside", async () => {
    const unknown = (count: number) => Array.from({ length: count }, (_, i) => `xyzzy${i}plugh`);
    const listed = (count: number) => ["how", "do", "I", ...unknown(count), "refund"].join(" ");
    assert.notDeepEqual((await resultsOf(listed(9))).paths, []);
    assert.deepEqual((await resultsOf(listed(10))).paths, []);
  });

  test("shows what was typed as text", async () => {
    const { text } = await resultsOf(`"><script>alert(1)</script>`);
    assert(!text.includes("<script>alert"));
    assert(text.includes("&lt;script&gt;alert(1)&lt;/script&gt;"));
  });

  test("is there without a question, and refuses an endless one", async () => {
    assert.equal((await service.request("/docs/search")).status, 200);
    assert.equal((await service.request(`/docs/search?q=${"a".repeat(201)}`)).status, 400);
  });
});
