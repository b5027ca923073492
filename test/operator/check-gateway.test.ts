/**
 * The guarantee: check-gateway says in words what is wrong with the live acquirer, exits with 0
 * only when nothing is wrong, names what is unclear, and moves no money.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../testkit/free-port.ts";
import { operator } from "../../testkit/operator.ts";
import {
  FAKE_MERCHANT,
  type PowertranzFake,
  startPowertranzFake,
} from "../../testkit/powertranz/fake.ts";
import type { FaultKind } from "../../testkit/powertranz/fault-kinds.ts";
import type { Switches } from "../../testkit/powertranz/journal.ts";
import { startService, type TestService } from "../../testkit/service.ts";

let service: TestService;
let fake: PowertranzFake;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const settingsOf = ({ url, id, password }: PowertranzFake) => ({
  POWERTRANZ_URL: url,
  POWERTRANZ_ID: id,
  POWERTRANZ_PASSWORD: password,
});

interface Checked {
  readonly code: number | null;
  /** What was tried and is wrong, with its words. */
  readonly wrong: Record<string, string>;
  readonly tried: readonly string[];
  readonly unclear: number;
}

async function check(settings: Record<string, string>): Promise<Checked> {
  const said = await operator(service, ["check-gateway", "--json"], { settings });
  assert.equal(said.stderr, "");
  const { checks, is_good, unclear } = JSON.parse(said.stdout);
  assert.equal(is_good, said.code === 0);
  const bad = checks.filter((one: { result: string }) => one.result === "wrong");
  return {
    code: said.code,
    unclear,
    wrong: Object.fromEntries(
      bad.map((one: { what: string; words: string }) => [one.what, one.words]),
    ),
    tried: checks.map(({ what }: { what: string }) => what),
  };
}

/** A fake for one test; nothing was charged in the end. */
function withFake(
  name: string,
  options: Parameters<typeof startPowertranzFake>[0],
  run: () => Promise<void>,
): void {
  test(name, async () => {
    fake = await startPowertranzFake(options);
    try {
      await run();
      assert.ok((await fake.control.transactions()).every(({ chargeCount }) => chargeCount === 0));
      assert.deepEqual(await fake.control.calls("spi/payment"), []);
      assert.deepEqual(await fake.control.calls("sale"), []);
    } finally {
      await fake.stop();
    }
  });
}

describe("all is well", () => {
  for (const lookupNotFoundAs of ["404", "null", "12/381"] as const)
    withFake(`when nothing found is ${lookupNotFoundAs}`, {}, async () => {
      await fake.control.set({ lookupNotFoundAs });
      const { code, tried, unclear } = await check(settingsOf(fake));
      assert.deepEqual([code, unclear], [0, lookupNotFoundAs === "404" ? 1 : 0]);
      assert.deepEqual(tried, [
        "reach",
        ...["TTD", "USD", "BBD", "XCD", "JMD", "GYD"].map((one) => `${one} Visa`),
        "TTD Mastercard",
        "lookup",
      ]);
    });

  withFake(
    "with the currencies, brands and credentials of the contract",
    {
      merchants: [FAKE_MERCHANT, { id: "88805678", password: "other-Pw", currencies: ["840"] }],
      switches: { currencies: ["780", "840"], brands: ["MasterCard"] },
      gatewayKey: "the-key",
    },
    async () => {
      const { code, tried } = await check({
        ...settingsOf(fake),
        POWERTRANZ_GATEWAY_KEY: "the-key",
        POWERTRANZ_CURRENCIES: "TTD,USD",
        POWERTRANZ_CURRENCY_IDS: "USD:88805678:other-Pw",
        POWERTRANZ_BRANDS: "mastercard",
        POWERTRANZ_LOOKUP: "false",
      });
      assert.equal(code, 0);
      assert.deepEqual(tried, ["reach", "TTD Mastercard", "USD Mastercard"]);
    },
  );
});

describe("a lookup that may not be enabled", () => {
  withFake("is unclear, and the last line does not say that all is well", {}, async () => {
    const settings = { ...settingsOf(fake), POWERTRANZ_CURRENCIES: "TTD" };
    await fake.control.set({ lookupNotFoundAs: "404" });
    const said = await operator(service, ["check-gateway"], { settings });
    assert.equal(said.code, 0);
    assert.match(said.stdout, /^ {2}lookup +unclear +it answers 404: .* ask PowerTranz which$/m);
    assert.match(said.stdout, /\nNothing is wrong, 1 thing is unclear\.\n$/);
    await fake.control.set({ lookupNotFoundAs: "null" });
    const clear = await operator(service, ["check-gateway"], { settings });
    assert.match(clear.stdout, /\nAll is well\.\n$/);
  });
});

describe("what is wrong is said", () => {
  const one = { POWERTRANZ_CURRENCIES: "TTD", POWERTRANZ_BRANDS: "visa" };

  test("when nothing is configured", async () => {
    const said = await operator(service, ["check-gateway"]);
    assert.deepEqual([said.code, said.stdout], [1, ""]);
    assert.match(said.stderr, /^No live acquirer is configured: set POWERTRANZ_URL/);
  });

  test("when nothing listens", async () => {
    const url = `http://127.0.0.1:${await freePort()}/api/`;
    const { code, wrong } = await check({ ...settingsOf({ ...fake, url }), ...one });
    assert.equal(code, 1);
    assert.match(wrong.reach ?? "", /^nothing listens there.*ECONNREFUSED/);
  });

  withFake("when the address speaks no TLS", {}, async () => {
    const url = fake.url.replace("http:", "https:");
    const { wrong } = await check({ ...settingsOf({ ...fake, url }), ...one });
    assert.match(wrong.reach ?? "", /TLS/);
  });

  withFake("when the path is another", {}, async () => {
    const url = fake.url.replace("/api/", "/other/");
    const { code, wrong } = await check({ ...settingsOf({ ...fake, url }), ...one });
    assert.equal(code, 1);
    assert.match(wrong.reach ?? "", /^there is no API at POWERTRANZ_URL/);
  });

  const settings: [string, Record<string, string>, RegExp][] = [
    ["id", { POWERTRANZ_ID: "1" }, /^the merchant id is wrong.*code 03, errors 310/],
    ["password", { POWERTRANZ_PASSWORD: "x" }, /^the password is wrong.*code 89, errors 311/],
    ["gateway key", { POWERTRANZ_GATEWAY_KEY: "x" }, /^the gateway key is wrong.*errors 312/],
  ];
  for (const [what, wrongOne, words] of settings)
    withFake(`when the ${what} is wrong`, {}, async () => {
      const { code, wrong } = await check({ ...settingsOf(fake), ...one, ...wrongOne });
      assert.equal(code, 1);
      assert.match(wrong["TTD Visa"] ?? "", words);
      assert.match(wrong.lookup ?? "", words);
    });

  const switches: [string, Partial<Switches>, string, RegExp][] = [
    [
      "a currency is not enabled",
      { currencies: ["840"] },
      "TTD Visa",
      /currency is not enabled.*315/,
    ],
    ["a brand is not enabled", { brands: ["MasterCard"] }, "TTD Visa", /brand is not enabled.*316/],
    [
      "credentials are refused by a status",
      { credentials401: true, passwordWrong: true },
      "TTD Visa",
      /^it refuses the id, the password or the gateway key/,
    ],
  ];
  for (const [name, set, what, words] of switches)
    withFake(`when ${name}`, { switches: set }, async () => {
      const { code, wrong } = await check({ ...settingsOf(fake), ...one });
      assert.equal(code, 1);
      assert.match(wrong[what] ?? "", words);
    });

  const faults: [FaultKind, RegExp][] = [
    ["cloudflare-403", /^the proxy in front of PowerTranz blocks this machine/],
    ["cloudflare-429", /^the proxy in front of PowerTranz limits this machine/],
    ["502-before", /^PowerTranz or the proxy in front of it is in trouble.*HTTP 502/],
    ["200-html-before", /no JSON/],
    ["redirect-302", /^POWERTRANZ_URL leads elsewhere/],
    ["reset-before", /the connection failed/],
    ["iso-96-without-effect", /^it has trouble of its own/],
  ];
  for (const [kind, words] of faults)
    withFake(`when a sale is answered with ${kind}`, {}, async () => {
      await fake.control.fault({ kind, endpoint: "spi/sale" });
      const { code, wrong } = await check({ ...settingsOf(fake), ...one });
      assert.equal(code, 1);
      assert.match(wrong["TTD Visa"] ?? "", words);
    });

  withFake("and no secret with it", {}, async () => {
    const said = await operator(service, ["check-gateway"], {
      settings: { ...settingsOf(fake), ...one, POWERTRANZ_ID: "1" },
    });
    assert.equal(said.code, 1);
    assert.ok(!said.stdout.includes(fake.password) && !/\d{12}/.test(said.stdout), said.stdout);
  });
});
