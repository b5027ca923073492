/**
 * The exam grades real shops right, as `npx windward exam` runs it: those of examples/ get an A,
 * each broken one fails exactly the cases that its one mistake leads to (Decision 0110).
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { readXml } from "../../src/kit/read-xml.ts";
import { type DemoService, startDemoService } from "../../testkit/demo-service.ts";
import { EXAMPLE_SHOPS, type ExampleShop, startCopiedShop } from "../../testkit/example-shops.ts";
import { KEPT_SETTINGS } from "../../testkit/kept-settings.ts";
import { endAll, makeFolder } from "../../testkit/processes.ts";
import { projectRoot } from "../house/project-files.ts";

const TOOL = path.join(projectRoot, "sdk/bin/windward.mjs");
const OPEN_ORDERS = path.join(projectRoot, "examples/open-orders.ts");
const SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGlzLXRlc3Qh";

const WEBHOOKS = ["twice_the_same", "out_of_order", "refund_after_shipping", "chargeback"];
const BROKEN: readonly [file: string, grade: string, failed: readonly string[]][] = [
  ["trusts-the-redirect", "F", ["forged_result", "hash_of_another_order", "changed_total"]],
  ["compares-no-total", "F", ["changed_total"]],
  ["ships-twice", "C", ["twice_the_same"]],
  ["ignores-refunds", "D", ["out_of_order", "refund_after_shipping"]],
  ["signs-parsed-json", "F", [...WEBHOOKS, "slow_receiver"]],
  ["blocks-the-webhook", "C", ["slow_receiver"]],
];
const copyOf = (file: string): ExampleShop["start"] => {
  return (settings) => startCopiedShop(file, settings);
};
/** What the exam cannot see of a shop that refuses every webhook. */
const HOLLOW = ["changed_total", "bad_signature", "old_timestamp"];
interface Graded extends ExampleShop {
  readonly grade: string;
  readonly failed: readonly string[];
  readonly unseen: readonly string[];
}
const SHOPS: readonly Graded[] = [
  ...EXAMPLE_SHOPS.map((shop) => ({ ...shop, grade: "A", failed: [], unseen: [] })),
  ...BROKEN.map(([name, grade, failed]) => {
    const unseen = name === "signs-parsed-json" ? HOLLOW : [];
    return { name, start: copyOf(`broken/${name}.ts`), grade, failed, unseen };
  }),
];

let service: DemoService;
let env: Record<string, string | undefined>;
before(async () => {
  service = await startDemoService();
  const { url: WINDWARD_URL, key: WINDWARD_KEY } = service;
  env = { ...KEPT_SETTINGS, XDG_CONFIG_HOME: makeFolder(), WINDWARD_URL, WINDWARD_KEY };
});
after(async () => {
  await service.stop();
  await endAll();
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, cwd: makeFolder() }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

async function openShop(start = copyOf("shop-typescript/shop.ts")) {
  const shop = await start({ WINDWARD_URL: service.url, WINDWARD_WEBHOOK_SECRET: SECRET });
  const orders = (await run(OPEN_ORDERS, shop.url)).stdout.trim();
  const exam = (...more: string[]) =>
    run(TOOL, "exam", `${shop.url}/paid`, `${shop.url}/webhook`, "--secret", SECRET, ...more);
  const withReport = ["--orders", orders, "--report-url", `${shop.url}/orders`];
  return { ...shop, orders, exam, withReport };
}

describe("the exam of", { concurrency: 3 }, () => {
  for (const { name, start, grade, failed, unseen } of SHOPS)
    test(`the shop ${name} ends with ${grade}`, async () => {
      const shop = await openShop(start);
      try {
        const junit = path.join(makeFolder(), "exam.xml");
        const { code, stdout, stderr } = await shop.exam(
          ...shop.withReport,
          "--json",
          "--junit",
          junit,
        );
        assert.equal(code, grade === "A" ? 0 : 1, stderr);
        assert.equal(stderr, "");
        const result = JSON.parse(stdout);
        const namesOf = (verdict: string) =>
          result.cases
            .filter((each: Record<string, string>) => each.verdict === verdict)
            .map((each: Record<string, string>) => each.case);
        assert.deepEqual(namesOf("failed"), failed, stdout);
        assert.deepEqual(namesOf("unseen"), unseen);
        assert.equal(result.refuses_every_webhook, unseen.length > 0);
        assert.equal(result.grade, grade);
        assert.equal(result.cases.length, 12);
        await checkJunit(junit, { failures: failed.length, skipped: unseen.length, grade });
      } finally {
        await shop.stop();
      }
    });

  test("a shop without a report is right as far as it can be seen, which is no A", async () => {
    const shop = await openShop();
    try {
      const junit = path.join(makeFolder(), "exam.xml");
      const { code, stdout } = await shop.exam("--orders", shop.orders, "--junit", junit);
      assert.equal(code, 1);
      assert.match(stdout, /Grade B {2}6 right, 0 wrong, 6 not seen\./);
      assert.match(stdout, /cannot be seen without --report-url/);
      await checkJunit(junit, { failures: 0, skipped: 6, grade: "B" });

      const again = await shop.exam(...shop.withReport);
      assert.equal(again.code, 2);
      assert.match(again.stderr, /^Already paid: shop-\w+, .*\n.*Open new ones/);
    } finally {
      await shop.stop();
    }
  });

  test("a shop that is examined with a wrong secret is not praised for refusing", async () => {
    const shop = await openShop();
    try {
      const wrong = ["--secret", "whsec_c29tZSBvdGhlciBzZWNyZXQgb2YgYSBzaG9w"];
      const { code, stdout } = await shop.exam(...shop.withReport, ...wrong);
      assert.equal(code, 1);
      assert.match(stdout, /Your shop refuses every webhook: is --secret the one it checks\?/);
      assert.match(stdout, /Grade F {2}4 right, 5 wrong, 3 not seen/);
      assert.match(stdout, /answered 3 × result 200, 4 × webhook 400 \(VerificationError: .+\);/);
      const mend = `     mend     Answer 2xx .+ ${service.url}/docs/webhooks#answer-then-work`;
      assert.match(stdout, new RegExp(mend));
    } finally {
      await shop.stop();
    }
  });

  test("orders that do not fit are refused before anything is sent", async () => {
    const shop = await openShop();
    try {
      const refused = async (orders: string, says: RegExp) => {
        const { code, stderr } = await shop.exam("--orders", orders);
        assert.equal(code, 2);
        assert.match(stderr, says);
      };
      await refused("order-1:100.00", /needs 12 orders, and --orders has 1/);
      await refused(`${shop.orders},x:1`, /x:1 is not an order with its total/);
      const raised = shop.orders.replace(":25.00", ":30.00");
      await refused(raised, /was requested for 25\.00, and --orders says 30\.00/);
      const reported = await fetch(`${shop.url}/orders`);
      const states = ((await reported.json()) as { state: string }[]).map(({ state }) => state);
      assert.deepEqual(new Set(states), new Set(["unpaid"]));
    } finally {
      await shop.stop();
    }
  });
});

/** Well-formed, with the numbers that build servers show. */
async function checkJunit(
  file: string,
  { failures, skipped, grade }: { failures: number; skipped: number; grade: string },
): Promise<void> {
  const limits = { depthMax: 9, elementsMax: 99, attributesMax: 9 };
  const { root } = readXml(await readFile(file, "utf8"), limits);
  const [suite] = root.children;
  assert(suite);
  for (const counted of [root, suite]) {
    assert.equal(counted.attributes.get("tests"), "12");
    assert.equal(counted.attributes.get("failures"), String(failures));
    assert.equal(counted.attributes.get("skipped"), String(skipped));
  }
  const [properties, ...cases] = suite.children;
  assert.equal(properties?.children[0]?.attributes.get("value"), grade);
  const having = (name: string) => cases.filter(({ children }) => children[0]?.local === name);
  assert.equal(cases.length, 12);
  assert.equal(having("failure").length, failures);
  assert.equal(having("skipped").length, skipped);
}
