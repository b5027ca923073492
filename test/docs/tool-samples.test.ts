/**
 * What the guides of the tool, the sandbox and the exam have a reader type works, from top to
 * bottom, and every command and option of the tool that any guide names exists.
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { type DemoService, startDemoService } from "../../testkit/demo-service.ts";
import { startCopiedShop } from "../../testkit/example-shops.ts";
import { freePort } from "../../testkit/free-port.ts";
import { endAll, makeFolder } from "../../testkit/processes.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { until } from "../../testkit/until.ts";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";
import { projectRoot } from "../house/project-files.ts";
import { type Expected, type Following, followSamples, type Next } from "./follow-samples.ts";
import { payAt } from "./pay-at.ts";
import { guideText } from "./snippets.ts";

let service: DemoService;
let terminal: Terminal;
before(async () => {
  service = await startDemoService();
  terminal = openTerminal({ WINDWARD_URL: service.url });
});
after(async () => {
  terminal.close();
  await service.stop();
  await endAll();
});

/**
 * The person at the terminal: signs in when asked, and gives `listen` a terminal of its own. The
 * tool and the bundled Node are run without npx, which takes longer than they do.
 */
const PERSON = `
cd '${projectRoot}'
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
npx() {
  local tool=; if [ "$1" = windward ]; then tool=sdk/bin/windward.mjs; fi; shift
  case "\${1-}" in
    login) printf 'merchant@example.com\\nSandbox-2026\\n' | '${process.execPath}' $tool "$@" ;;
    listen) '${process.execPath}' $tool "$@" > "$LISTENED" 2>&1 < /dev/null &
      until grep -q 'Forwarding to' "$LISTENED"; do sleep 0.2; done ;;
    *) '${process.execPath}' $tool "$@" < /dev/null ;;
  esac
}`;

function follow(t: TestContext, { written, ...following }: Following): Promise<void> {
  const own = { ...terminal.env, LISTENED: path.join(makeFolder(), "listened") };
  const exports = Object.entries(own).map(([name, value]) => `export ${name}='${value}'`);
  return followSamples(t, {
    ...following,
    written: { "http://localhost:3000": service.url, ...written },
    profile: [...exports, PERSON].join("\n"),
  });
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

const lastOf =
  (place: string, pattern: RegExp): Next =>
  async (said) => ({ [place]: said.match(pattern)?.at(-1) ?? "" });

async function paidAddress(): Promise<string> {
  const { body } = await service.ask("/plugins/payments/request", {
    method: "POST",
    json: {
      ...{ account_number: "1234567890", country_code: "TT", currency: "TTD", total: "100.00" },
      ...{ environment: "sandbox", fee_structure: "customer_pay", method: "credit_card_co" },
      ...{ order_id: "tool-samples", origin: "test", email: "customer@example.com" },
      response_url: `${service.url}/docs/welcome`,
    },
  });
  return payAt(body.url);
}

test("the samples of tool.md work from top to bottom", async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const expected: Expected[] = [
    /payment\.success/,
    { says: /payment\.created/, next: lastOf("paste the id here", /SB-TT-\w{26}/g) },
    /payment\.refunded/,
    /Snapshot before made.*Snapshot before restored/s,
    { says: /payment\.refunded.*POST/s, next: lastOf("paste the request id here", UUID) },
    { says: /./, next: async () => ({ "paste the address here": await paidAddress() }) },
    { says: /verif/, next: async () => ({ "paste an API key here": service.key }) },
    /"event": ?"payment\.success"/,
  ];
  const written = { "http://localhost:8000/webhooks": receiver.url };
  await follow(t, { guide: "tool.md", expected, written });
  const arrived = () => receiver.received.some(({ body }) => body.includes('"payment.success"'));
  await until(arrived, "the listener has forwarded an event", 60);
});

test("the samples of sandbox.md work from top to bottom", async (t) => {
  const expected = [/"now":/, /"name":"clean"/, /"status":"failed"/];
  await follow(t, { guide: "sandbox.md", expected, written: {} });
});

test("the sample of exam.md gives an example shop an A", async (t) => {
  const shop = await startCopiedShop("shop-typescript/shop.ts", { WINDWARD_URL: service.url });
  t.after(() => shop.stop());
  const written = { "http://localhost:4000": shop.url };
  await follow(t, { guide: "exam.md", expected: [/Grade A/], written });
});

test("the sample of testing.md starts a service, waits for it and stops it", async (t) => {
  const port = await freePort();
  const written = { "4010": String(port), "/tmp/windward-test": path.join(makeFolder(), "data") };
  await follow(t, { guide: "testing.md", expected: [/ok|ready/i], written });
  const isOpen = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      () => true,
      () => false,
    );
  await until(async () => !(await isOpen()), "it has stopped", 60);
});

/** Each command with its options, as the code of the guides has it. */
function namedCommands(): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  const guides = readdirSync(path.join(projectRoot, "docs")).filter((name) => name.endsWith(".md"));
  for (const file of [...guides, "../README.md", "../sdk/README.md", "../examples/README.md"]) {
    const text = guideText(file).replaceAll("\\\n", " ");
    for (const [, words = ""] of text.matchAll(/(?:npx |`)windward ([a-z][^`\n#]*)/g)) {
      const [command = "", second = ""] = words.split(" ");
      const name = /^[a-z]+$/.test(second) ? `${command} ${second}` : command;
      const options = named.get(name) ?? new Set();
      for (const [option] of words.matchAll(/--[a-z][a-z-]*/g)) options.add(option);
      named.set(name, options);
    }
  }
  return named;
}

test("every command and option that a guide names is one of the tool", async () => {
  const named = namedCommands();
  assert(named.size > 10);
  for (const [name, options] of named) {
    const { stdout } = await terminal.run([...name.split(" "), "--help"]);
    assert(stdout.startsWith(`Usage: windward ${name.split(" ")[0]} `), name);
    for (const option of options) assert(stdout.includes(option), `${name} ${option}`);
  }
});
