/**
 * Starting either gives a service that says where it is and how to get in, or one sentence that
 * says what to mend, exit code 1 and nothing left running.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { after, describe, test } from "node:test";
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "../../src/demo-world.ts";
import { readConfig } from "../../src/infra/config.ts";
import { createLog } from "../../src/infra/log.ts";
import { createPasswords } from "../../src/modules/accounts/passwords.ts";
import { ask, demoSignIn } from "../../testkit/ask.ts";
import { databaseUrl, emptyDatabase, freshDatabase } from "../../testkit/database.ts";
import { makeDataDir, makeUsedDataDir, processesIn, query } from "../../testkit/database-owners.ts";
import {
  endAll,
  launch,
  makeFolder,
  start,
  UNHINDERED,
  whenReady,
} from "../../testkit/processes.ts";

const key = (letter: string) => `a:${Buffer.alloc(32, letter).toString("base64")}`;
const PRODUCTION = {
  STAGE: "production",
  PUBLIC_URL: "https://api.example.com",
  PASSWORD_PEPPERS: key("p"),
  TOKEN_PEPPERS: key("t"),
  WRAPPING_KEYS: key("w"),
};

/** A port that something else listens on until the test is over. */
async function takePort(): Promise<{ port: number; release(): Promise<void> }> {
  const server = net.createServer().listen(0, "127.0.0.1").unref();
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as net.AddressInfo;
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function freePort(): Promise<string> {
  const { port, release } = await takePort();
  await release();
  return String(port);
}

after(endAll);

describe("a development start", () => {
  test("says where everything is and how to sign in, and those sign-ins work", async () => {
    const database = await emptyDatabase();
    const settings = { DATABASE_URL: database.url, PASSWORD_HASHING: "floor" };
    const service = await start({ settings });
    const said = service.stdout();
    const base = `http://localhost:${new URL(service.url).port}`;
    for (const place of ["/console", "/dev/mail", "/docs", "/openapi.json", "/readyz"]) {
      assert(said.includes(` ${base}${place}\n`), `the banner names ${place}`);
      assert.equal((await fetch(base + place)).status, 200);
    }
    for (const role of ["admin", "finance", "developer", "support", "viewer"])
      assert.match(said, new RegExp(`${role}@example\\.com +1234567890  ${role}`));
    assert.match(said, /4111 1111 1111 1111/);
    assert(said.includes(` export WINDWARD_URL=${base}\n`), "what the tool has to know");
    assert(said.includes(DEMO_PASSWORD));
    assert.equal(DEMO_ACCOUNTS.length, 5);
    for (const { email, accountNumber } of DEMO_ACCOUNTS) {
      assert(said.includes(email) && said.includes(accountNumber), `the banner names ${email}`);
      const signedIn = await service.ask("/auth/tokens", demoSignIn(email));
      assert.equal(signedIn.status, 200);
      const token = signedIn.body.access_token;
      const whoami = await service.ask("/auth/whoami", { token });
      assert.equal(whoami.body.data.account_number, accountNumber);
    }
    assert.equal(service.stderr(), "");
    await service.stop();
    await database.drop();
  });

  test("on data that is there changes nothing of it: a changed password stays changed", async () => {
    const database = await freshDatabase();
    const settings = { ...UNHINDERED, DATABASE_URL: database.url };
    await (await start({ settings })).stop();
    const before = await query(database.url, "select * from accounts order by account_number");
    const passwords = createPasswords(
      readConfig(UNHINDERED).passwords,
      createLog({ level: "silent" }),
    );
    const { digest } = await passwords.digest("changed by its owner");
    await query(
      database.url,
      `update accounts set password_digest = '${digest}' where email = 'merchant@example.com'`,
    );
    const service = await start({ settings });
    const signIn = demoSignIn();
    assert.equal((await service.ask("/auth/tokens", signIn)).status, 401);
    const json = { ...(signIn.json as object), password: "changed by its owner" };
    assert.equal((await service.ask("/auth/tokens", { ...signIn, json })).status, 200);
    const now = await query(database.url, "select * from accounts order by account_number");
    const withoutPassword = ({ password_digest: _, ...row }: Record<string, unknown>) => row;
    assert.deepEqual(now.map(withoutPassword), before.map(withoutPassword));
    await service.stop();
    await database.drop();
  });

  test("reads .env of the folder it is started in, and the environment goes first", async () => {
    const database = await freshDatabase();
    const cwd = makeFolder();
    const lines = [`DATABASE_URL=${database.url}`, "PASSWORD_HASHING=floor", "LIMIT_GENERAL=77"];
    writeFileSync(path.join(cwd, ".env"), [...lines, "PORT=1"].join("\n"));
    const service = await start({ cwd, settings: { PORT: "0" } });
    assert.notEqual(new URL(service.url).port, "1");
    const jwks = await service.ask("/.well-known/jwks.json");
    assert.equal(jwks.headers["x-ratelimit-limit"], "77");
    await service.stop();
    await database.drop();
  });
});

test("a service whose output nobody reads goes on", async () => {
  const database = await freshDatabase();
  const settings = { ...UNHINDERED, DATABASE_URL: database.url, LOG_LEVEL: "info" };
  const starting = launch({ settings });
  starting.process.stdout?.destroy();
  const service = await whenReady(starting);
  for (let i = 0; i < 3; i++) assert.equal((await service.ask("/livez")).status, 200);
  const { code, stderr } = await service.stop();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  await database.drop();
});

describe("a production start", () => {
  test("without its settings names every one that is missing and exits with 1", async () => {
    const { code, stdout, stderr } = await launch({ settings: { STAGE: "production" } }).ended;
    assert.equal(code, 1);
    assert.equal(stdout, "");
    const { STAGE: _, ...needed } = PRODUCTION;
    for (const name of ["DATABASE_URL", ...Object.keys(needed)])
      assert.match(stderr, new RegExp(`- ${name} is missing\\.`));
    assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
  });

  test("makes no accounts and keeps metrics off the public port", async () => {
    const database = await emptyDatabase();
    const metricsPort = await freePort();
    const settings = { ...PRODUCTION, DATABASE_URL: database.url, METRICS_PORT: metricsPort };
    const service = await start({ settings });
    assert.doesNotMatch(service.stdout(), new RegExp(`${DEMO_PASSWORD}|example\\.com|4111`));
    assert.equal((await query(database.url, "select from accounts")).length, 0);
    assert.equal((await service.ask("/auth/tokens", demoSignIn())).status, 401);
    assert.equal((await service.ask("/metrics")).status, 404);
    const metrics = await ask(`http://127.0.0.1:${metricsPort}/metrics`);
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /windward_http_requests_total\{[^}]*status="401"[^}]*\} 1/);
    // By itself: what is not served there is no answer of the document.
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/auth/whoami`)).status, 404);
    assert.equal((await service.stop()).code, 0);
    await database.drop();
  });

  test("with several processes serves the metrics of all of them together", async () => {
    const database = await freshDatabase();
    const metricsPort = await freePort();
    const own = { DATABASE_URL: database.url, METRICS_PORT: metricsPort, WORKERS: "2" };
    const service = await start({ settings: { ...PRODUCTION, ...own } });
    for (let i = 0; i < 10; i++) await service.ask("/livez");
    const metrics = await ask(`http://127.0.0.1:${metricsPort}/metrics`);
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /windward_http_requests_total\{[^}]*route="\/livez"[^}]*\} 10/);
    assert.equal((await service.stop()).code, 0);
    await database.drop();
  });
});

describe("a start that cannot be", () => {
  for (const workers of ["1", "2"])
    test(`on a taken port with ${workers} at work says so once and leaves no PostgreSQL`, async () => {
      const taken = await takePort();
      const dataDir = await makeUsedDataDir();
      const settings = {
        ...UNHINDERED,
        DATA_DIR: dataDir,
        PORT: String(taken.port),
        WORKERS: workers,
      };
      const { code, stdout, stderr } = await launch({ settings }).ended;
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.equal(
        stderr.trim(),
        `Windward did not start. Port ${taken.port} is taken. ` +
          "Stop whatever uses it, or set PORT to another.",
      );
      assert.deepEqual(await processesIn(dataDir), []);
      await taken.release();
    });

  test("on a taken port makes no database first", async () => {
    const taken = await takePort();
    const dataDir = await makeDataDir();
    const settings = { ...UNHINDERED, DATA_DIR: dataDir, PORT: String(taken.port) };
    const { code, stdout } = await launch({ settings }).ended;
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.equal(existsSync(dataDir), false);
    await taken.release();
  });

  test("on a taken METRICS_PORT names that setting", async () => {
    const taken = await takePort();
    const database = await freshDatabase();
    const own = { DATABASE_URL: database.url, METRICS_PORT: String(taken.port) };
    const { code, stderr } = await launch({ settings: { ...UNHINDERED, ...own } }).ended;
    assert.equal(code, 1);
    assert.match(stderr, /Port \d+ is taken\. .* set METRICS_PORT to another\.\s*$/);
    await taken.release();
    await database.drop();
  });

  const elsewhere = (change: (url: URL) => void) => {
    const url = new URL(databaseUrl("postgres"));
    change(url);
    return url.href;
  };
  const cases: [string, (url: URL) => void, RegExp][] = [
    ["where nothing listens", (url) => (url.port = "1"), /does not answer/],
    ["on a host without address", (url) => (url.hostname = "db.invalid"), /does not answer/],
    ["with a wrong password", (url) => (url.password = "wrong"), /refuses the user or the passwo/],
    ["that does not exist", (url) => (url.pathname = "/nowhere"), /does not exist/],
  ];
  for (const [circumstance, change, sentence] of cases)
    test(`with a database ${circumstance} says so in a sentence`, async () => {
      const settings = { DATABASE_URL: elsewhere(change) };
      const { code, stdout, stderr } = await launch({ settings }).ended;
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, sentence);
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    });

  test("with bad settings names every mistake at once", async () => {
    const settings = {
      STAGE: "staging",
      PORT: "seventy",
      WORKERS: "0",
      DATABASE_URL: "mysql://localhost/windward",
      PASSWORD_PEPPERS: "a:short",
      TRUSTED_PROXIES: "10.0.0.0/99",
    };
    const { code, stderr } = await launch({ settings }).ended;
    assert.equal(code, 1);
    for (const name of Object.keys(settings)) assert.match(stderr, new RegExp(`- ${name}\\b`));
    assert.equal(stderr.trim().split("\n").length, 1 + Object.keys(settings).length, stderr);
  });

  const older = findOlderNode();
  const unlessOlder = older === undefined && "no Node before 24 on this machine";
  test("on an older Node says which one is needed", { skip: unlessOlder }, async () => {
    const { code, stderr } = await launch({ settings: {}, node: older ?? "node" }).ended;
    assert.equal(code, 1);
    assert.match(stderr, /^Windward needs Node 24 or later; this is Node \d+\.\d+\.\d+\./);
    assert.doesNotMatch(stderr, /SyntaxError|ERR_/);
  });
});

function findOlderNode(): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const node = path.join(folder, "node");
    try {
      const version = execFileSync(node, ["--version"], { encoding: "utf8", stdio: "pipe" });
      if (Number(/^v(\d+)/.exec(version)?.[1]) < 24) return node;
    } catch {
      // No Node in this folder.
    }
  }
  return undefined;
}
