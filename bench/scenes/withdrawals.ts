/**
 * Withdrawals per second over HTTP: every rule held, and row, event, audit and held money committed
 * before the answer. Beside it the very statements of one withdrawal, taken down once and run again
 * by a bare `pg` client with new ids: what the database alone could do.
 *
 * Of sixteen accounts in turn. What was asked for is paid out by the simulator from five seconds
 * later on, beside both. The contenders take turns within each round, so that a slow minute of the
 * machine slows both.
 */

import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { DEMO_PASSWORD } from "../../src/demo-world.ts";
import { readConfig } from "../../src/infra/config.ts";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { queryable, type Statement } from "../../src/infra/db/query.ts";
import type { Tx } from "../../src/infra/db/transaction.ts";
import type { Caller } from "../../src/infra/http/caller.ts";
import { createLog } from "../../src/infra/log.ts";
import { readFields } from "../../src/kit/fields/field.ts";
import { newTransactionId } from "../../src/kit/ids.ts";
import { holdCredential } from "../../src/modules/auth/hold-credential.ts";
import { platformOf } from "../../src/modules/platforms/platform.ts";
import type { WithdrawalsContext } from "../../src/modules/withdrawals/context.ts";
import { createWithdrawal } from "../../src/modules/withdrawals/create-withdrawal.ts";
import { withdrawalFields } from "../../src/modules/withdrawals/withdrawal-fields.ts";
import { expectBooksToBalance, fund } from "../../testkit/books.ts";
import { say } from "../../testkit/tool/say.ts";
import { askAgain, type BurstResult } from "../support/ask-again.ts";
import { takeTurns } from "../support/quietly.ts";
import { eachOf, medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";

const ACCOUNTS = 16;
/** Over HTTP, and clients of the bare one. */
const CALLERS = 16;
const PASSWORD = "Bench-2026-x";
const OWN_SCOPES = "svc-user-all svc-withdrawals-all";
const BANK = { bank_name: "First Citizens", bank_account: "0012345678", name_in_bank: "B. Ench" };
const ORDER = { withdrawal_type: "normal", currency: "TTD", amount: "5.00" };

interface Owner {
  readonly accountNumber: string;
  readonly token: string;
}

type Load = (seconds: number) => Promise<number>;

export const withdrawals: Scene = {
  name: "withdrawals",
  play: (stage, pace) => onItsOwn(stage, "withdrawals", (own) => play(own, pace)),
};

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const url = stage.settings.DATABASE_URL ?? "";
  const db = openDatabase({ url, connectionsMax: 4, log: createLog({ level: "warn" }) });
  const clients = Array.from({ length: CALLERS }, () => new pg.Client({ connectionString: url }));
  try {
    const main = await signIn(stage, "merchant@example.com", DEMO_PASSWORD, "svc-accounts-create");
    const owners: Owner[] = [];
    for (let at = 0; at < ACCOUNTS; at++) owners.push(await openOwner(stage, db, main));
    const ours = (seconds: number) =>
      askAgain({
        url: `${stage.service.url}/withdrawals/`,
        connections: CALLERS,
        order: ORDER,
        seconds,
        tokens: owners.map(({ token }) => token),
        expected: 201,
      });
    const scripts = await Promise.all(owners.map((owner) => takeDown(db, owner)));
    await Promise.all(clients.map((client) => client.connect()));
    const bare: Load = (seconds) => replay(clients, scripts, seconds);
    await bare(pace.warmUpSeconds);
    await ours(pace.warmUpSeconds);
    const figures = await compare(pace, ours, bare);
    await expectBooksToBalance(db);
    const goal = { atLeast: 0.5 };
    const { timesBare: measured, rounds } = figures;
    const unit = "× bare statements";
    return { figures, goals: [{ what: "withdrawals", measured, rounds, unit, goal }] };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await db.close();
  }
}

async function compare(pace: Pace, ours: (seconds: number) => Promise<BurstResult>, bare: Load) {
  const takeTurn = async (turn: number) => {
    const barePerSecond = await bare(pace.seconds);
    const { perSecond, p99Ms, failures } = await ours(pace.seconds);
    if (failures > 0) throw new Error(`${failures} withdrawals failed`);
    say(
      `round ${turn} of ${pace.rounds}: withdrawals ${round(perSecond)}/s, ` +
        `the same statements by a bare client ${round(barePerSecond)}/s`,
    );
    return { perSecond, p99Ms, barePerSecond, timesBare: perSecond / barePerSecond };
  };
  const turns = await takeTurns(pace, takeTurn);
  return { ...medians(turns), rounds: eachOf(turns, "timesBare") };
}

/** Made by the demo merchant, who is a main merchant. */
async function openOwner(stage: Stage, db: Database, token: string): Promise<Owner> {
  const { service } = stage;
  const email = `bench-${randomUUID()}@example.com`;
  const json = { email, password: PASSWORD, first_name: "B", last_name: "Ench" };
  const made = await service.ask("/accounts", { method: "POST", token, json });
  const { account_number: accountNumber } = made.body.data;
  const own = { token: await signIn(stage, email, PASSWORD, OWN_SCOPES) };
  await service.ask("/user/banks/local", { method: "POST", ...own, json: BANK });
  await fund(db, accountNumber, "90000000.00 TTD");
  return { accountNumber, ...own };
}

async function signIn(
  { service }: Stage,
  email: string,
  password: string,
  scopes: string,
): Promise<string> {
  const json = { email, password, scopes };
  const answer = await service.ask("/auth/tokens", { method: "POST", json });
  if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.text}`);
  return answer.body.access_token;
}

interface Script {
  readonly transactionId: string;
  readonly statements: readonly Statement[];
}

/** The statements of one real withdrawal of this owner. */
async function takeDown(db: Database, { accountNumber }: Owner): Promise<Script> {
  const statements: Statement[] = [];
  const { grant_id: grantId } = await db.one<{ grant_id: string }>({
    name: "grant-of",
    text: "select grant_id::text from grants where account_number = $1",
    values: [accountNumber],
  });
  const caller: Caller = {
    accountNumber,
    accountType: "PERSONAL",
    countryCode: "TT",
    isMainMerchant: false,
    scopes: new Set(),
    credential: { kind: "bearer", grantId, expiresAt: new Date("2199-01-01") },
  };
  const ctx = { config: readConfig({}), db, holdCredential, failpoint() {} };
  const input = readFields(withdrawalFields(platformOf("TT")), ORDER);
  const row = await db.transaction((tx) => {
    const recording = queryable(async (statement) => {
      statements.push(statement);
      const rows = await tx.rows(statement);
      return { rows, rowCount: rows.length } as unknown as pg.QueryResult;
    }) as Tx;
    return createWithdrawal(ctx as unknown as WithdrawalsContext, recording, caller, input);
  });
  return { transactionId: row.transaction_id, statements };
}

/** Each client runs the script of one owner over and over; ids are new each time. */
async function replay(
  clients: readonly pg.Client[],
  scripts: readonly Script[],
  seconds: number,
): Promise<number> {
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1_000;
  let done = 0;
  const load = async (connection: pg.Client, at: number) => {
    const script = scripts[at % scripts.length];
    while (script !== undefined && performance.now() < endsAt) {
      await connection.query("begin");
      for (const one of renewed(script)) await connection.query(one);
      await connection.query("commit");
      done += 1;
    }
  };
  await Promise.all(clients.map(load));
  return (done / (performance.now() - beganAt)) * 1_000;
}

/** What makes an event's id unique, beside its time. */
const CHANCE = /^[0-9a-f]{20}$/;

function renewed({ transactionId, statements }: Script): pg.QueryConfig[] {
  const at = new Date();
  const id = newTransactionId({ environment: "live", countryCode: "TT", at });
  const renew = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renew);
    if (typeof value !== "string") return value;
    if (CHANCE.test(value)) return randomBytes(10).toString("hex");
    return value.replaceAll(transactionId, id);
  };
  return statements.map((one) => ({
    ...("name" in one ? { name: one.name } : {}),
    text: one.text,
    values: one.values.map(renew),
  }));
}
