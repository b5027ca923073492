/**
 * Several processes are one service: limits count once for all of them, a revocation that was
 * answered holds on every one of them, and one that dies is replaced.
 */

import assert from "node:assert/strict";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type AskOptions, demoSignIn } from "../../testkit/ask.ts";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import { query } from "../../testkit/database-owners.ts";
import { childrenOf, portsOf, runs } from "../../testkit/process-facts.ts";
import { endAll, type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";
import { connectToEach, onlyWith } from "../../testkit/worker-connections.ts";

const WORKERS = 4;
const ATTEMPTS = 200;
const ROUNDS = 3;
const HAMMERS = 4;
/** To each process. */
const OPEN_CONNECTIONS = 4;
const USES_MIN = 40;
const LOGGED = { LOG_LEVEL: "info", OVERLOAD_LOOP_DELAY_MS: "0" };

let database: TestDatabase;
before(async () => {
  database = await freshDatabase();
});
after(async () => {
  await endAll();
  await database.drop();
});

/** How many processes have answered requests of this route, by their log. */
function processesThatAnswered(service: Running, route: string): number {
  const lines = service.stdout().match(/^\{.*"msg":"answered"\}$/gm) ?? [];
  const entries = lines.map((line) => JSON.parse(line));
  return new Set(entries.filter((entry) => entry.route === route).map((entry) => entry.pid)).size;
}

test("of 200 sign-ins at once from one address exactly 5 are judged, over all processes", async () => {
  const settings = { PASSWORD_HASHING: "floor", WORKERS: String(WORKERS), ...LOGGED };
  const service = await start({ settings: { ...settings, DATABASE_URL: database.url } });
  const json = { email: "merchant@example.com", password: "not this one", scopes: "svc-user-all" };
  const agents = await connectToEach(service, ATTEMPTS / WORKERS);
  const attempt = (agent: http.Agent) =>
    service.ask("/auth/tokens", { method: "POST", json, agent });
  const answers = await Promise.all(
    Array.from({ length: ATTEMPTS / WORKERS }, () => agents.map(attempt)).flat(),
  );
  for (const agent of agents) agent.destroy();
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual({ judged: count(401), refused: count(429) }, { judged: 5, refused: 195 });
  for (const { status, headers } of answers) {
    assert.equal(headers["x-ratelimit-limit"], "5");
    if (status !== 429) continue;
    assert.equal(headers["x-ratelimit-remaining"], "0");
    const seconds = Number(headers["retry-after"]);
    assert(seconds >= 1 && seconds <= 60, `Retry-After is ${seconds}`);
  }
  await until(() => processesThatAnswered(service, "/auth/tokens") === WORKERS, "all took part");
  await service.stop();
});

describe("four processes", () => {
  let service: Running;
  before(async () => {
    const settings = { ...UNHINDERED, ...LOGGED, WORKERS: String(WORKERS) };
    service = await start({ settings: { ...settings, DATABASE_URL: database.url } });
  });

  async function signIn(): Promise<string> {
    const answer = await service.ask("/auth/tokens", demoSignIn());
    assert.equal(answer.status, 200);
    return answer.body.access_token;
  }

  async function makeKey(token: string): Promise<{ key: string; kid: string }> {
    const json = { environment: "test", scopes: "svc-user-all" };
    const answer = await service.ask("/auth/keys", { method: "POST", token, json });
    assert.equal(answer.status, 201);
    return answer.body.data;
  }

  /**
   * Uses a credential while it is revoked: on new connections all the time, and on open ones in the
   * first moment after the answer, which is the one that a memory somewhere would spoil.
   */
  async function useWhileRevoking(
    credential: AskOptions,
    revoke: (agent?: http.Agent) => Promise<number>,
  ) {
    const uses: { beganAt: number; status: number }[] = [];
    const use = async (agent?: http.Agent) => {
      const kept = agent === undefined ? {} : { agent };
      uses.push(await service.ask("/auth/whoami", { ...credential, ...kept }));
    };
    const agents = await connectToEach(service, OPEN_CONNECTIONS);
    const useAllOpen = () =>
      Promise.all(Array.from({ length: OPEN_CONNECTIONS }, () => agents.map(use)).flat());
    let isOver = false;
    const hammers = Array.from({ length: HAMMERS }, async () => {
      while (!isOver) await use();
    });
    await until(() => uses.length >= USES_MIN, "it is in use");
    await useAllOpen();
    assert.equal(await revoke(agents[0]), 200);
    const revokedAt = performance.now();
    await useAllOpen();
    const later = () => uses.filter((one) => one.beganAt > revokedAt);
    await until(() => later().length >= USES_MIN, "it is used after the revocation");
    isOver = true;
    await Promise.all(hammers);
    for (const agent of agents) agent.destroy();
    return { before: uses.filter((one) => one.beganAt <= revokedAt), later: later() };
  }

  for (const kind of ["token", "key"] as const)
    test(`accept no request with a ${kind} that began after its revocation was answered`, async (t) => {
      let accepted = 0;
      let refused = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const token = await signIn();
        const { key, kid } = await makeKey(token);
        const address = kind === "token" ? "/auth/tokens" : `/auth/keys/${kid}`;
        const revoke = async (agent = new http.Agent()) =>
          (await service.ask(address, { method: "DELETE", token, agent })).status;
        const uses = await useWhileRevoking(kind === "token" ? { token } : { key }, revoke);
        accepted += uses.before.filter((use) => use.status === 200).length;
        refused += uses.later.length;
        assert.deepEqual(
          uses.later.filter((use) => use.status !== 401),
          [],
        );
      }
      assert(accepted > 0);
      await until(
        () => processesThatAnswered(service, "/auth/whoami") === WORKERS,
        "all took part",
      );
      t.diagnostic(`${accepted} accepted before, ${refused} refused and 0 accepted after`);
    });

  test("are four again after one is killed, and the others answer meanwhile", async () => {
    const first = childrenOf(service.pid);
    assert.equal(first.length, WORKERS);
    const [victim = 0] = first;
    process.kill(victim, "SIGKILL");
    await until(() => !runs(victim), "it is dead");
    assert.equal((await service.ask("/readyz")).status, 200);
    const later = () => childrenOf(service.pid).filter((pid) => pid !== victim);
    await until(() => later().length === WORKERS, "a new one has started");
    const fresh = later().find((pid) => !first.includes(pid)) ?? 0;
    const answer = await onlyWith(service, fresh, () => service.ask("/readyz"));
    assert.equal(answer.status, 200);
    assert.match(service.stdout(), /a worker died and is replaced/);
    assert.equal((await service.stop()).code, 0);
  });
});

test("web answers and works on no job, worker works on jobs and opens no port", async () => {
  const old = "insert into idempotency_keys values ('a', 'b', 'c', 'd', '', 200, '', '', now() - ";
  const left = async () => (await query(database.url, "select from idempotency_keys")).length;
  const own = { ...UNHINDERED, DATABASE_URL: database.url };
  const web = await start({ settings: { ...own, ROLE: "web" } });
  await query(database.url, `${old} interval '8 days')`);
  await query(database.url, "select graphile_worker.add_job('prune-requests', '{}'::json)");
  assert.equal((await web.ask("/readyz")).status, 200);
  assert.equal(portsOf(web.pid), 1);
  // A process that works on jobs would have been told of this one by now.
  await sleep(500);
  assert.equal(await left(), 1);

  const worker = await start({ settings: { ...own, ROLE: "worker" } });
  assert.equal(worker.url, "");
  assert.equal(portsOf(worker.pid), 0);
  await until(async () => (await left()) === 0, "the worker did the job");
  assert.deepEqual([(await worker.stop()).code, (await web.stop()).code], [0, 0]);
});
