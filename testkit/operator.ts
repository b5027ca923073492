/**
 * The operator's commands as a person runs them. Most run in the test's own process, through the
 * very function that the program runs: loading the program takes ten times as long as a command.
 * That the program hands it what a process has and gives, is proven by those that start it.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { sql } from "../src/infra/db/query.ts";
import { operate } from "../src/operate.ts";
import { KEPT_SETTINGS } from "./kept-settings.ts";
import type { TestService } from "./service.ts";

const START = fileURLToPath(new URL("../src/start.mjs", import.meta.url));

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Who does it and why, for commands that ask. */
export const SIGNED = ["--by", "D. Joseph", "--why", "ticket 4711"] as const;

type At = Pick<TestService, "database"> | undefined;

interface Around {
  readonly stdin?: string;
  readonly settings?: Record<string, string>;
}

/** Runs it on the database of the service, or on no database at all. */
export async function operator(
  service: At,
  args: readonly string[],
  { stdin = "", settings = {} }: Around = {},
): Promise<Said> {
  const said = { stdout: "", stderr: "" };
  const code = await operate(args, {
    settings: settingsOf(service, settings),
    folder: settings.INIT_CWD ?? tmpdir(),
    readStdin: async () => stdin,
    writeAnswer: (written) => {
      said.stdout += written;
    },
    writeError: (written) => {
      said.stderr += written;
    },
  });
  return { code, ...said };
}

/** The same as a process of its own, where no `.env` lies about. */
export async function operatorProcess(
  service: At,
  args: readonly string[],
  { stdin = "", settings = {} }: Around = {},
): Promise<Said> {
  const child = spawn(process.execPath, [START, "operator", ...args], {
    cwd: tmpdir(),
    env: { ...KEPT_SETTINGS, ...settingsOf(service, settings) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {}); // it may not read at all
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

function settingsOf(service: At, settings: Record<string, string>): Record<string, string> {
  return {
    STAGE: "development",
    PASSWORD_HASHING: "floor",
    LIVE_PAYOUTS: "files",
    ...(service === undefined
      ? { DATA_DIR: path.join(tmpdir(), "windward-nobody-is-here") }
      : { DATABASE_URL: service.database.url }),
    ...settings,
  };
}

/** One that must work, and what it told a script. */
export async function operatorJson(
  service: TestService,
  args: readonly string[],
  options: Around = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<any> {
  const said = await operator(service, [...args, "--json"], options);
  assert.deepEqual({ code: said.code, stderr: said.stderr }, { code: 0, stderr: "" });
  return JSON.parse(said.stdout);
}

/** Every row that a command may write, as text: equal before and after a refusal. */
async function everything(service: TestService): Promise<string> {
  const { text: rows } = await service.ctx.db.one<{ text: string }>(sql`
    select concat(
      (select json_agg(one order by account_number) from accounts as one),
      (select json_agg(one order by set_number) from account_limits as one),
      (select json_agg(one order by set_number) from account_fees as one),
      (select json_agg(one order by entry_id) from audit_entries as one),
      (select json_agg(one order by kid) from signing_keys as one),
      -- When a key was last used is written behind its requests, at any moment.
      (select json_agg(to_jsonb(one) - 'last_used_at' order by kid) from api_keys as one),
      (select json_agg(one order by person_id) from reset_links as one),
      (select json_agg(one order by endpoint_id) from webhook_endpoints as one),
      (select json_agg(one order by transaction_id) from transactions as one),
      (select json_agg(one order by refund_id) from refunds as one),
      (select json_agg(one order by dispute_id) from disputes as one),
      (select json_agg(one order by transaction_id) from withdrawals as one),
      (select json_agg(one order by transaction_id, number) from payouts as one),
      (select json_agg(one order by batch_id) from payout_batches as one),
      (select json_agg(one order by line_id) from settlement_lines as one),
      (select json_agg(one order by route_id) from gateway_routes as one),
      (select json_agg(one order by posting_id) from ledger_postings as one)) as text`);
  return rows;
}

/** What is typed, the sentence that refuses it, and what is piped in. */
type Refused = readonly [args: readonly string[], sentence: string, stdin?: string];

/** Each must refuse with its sentence and exit code 1, and leave every row as it was. */
export async function expectRefusals(
  service: TestService,
  cases: readonly Refused[],
): Promise<void> {
  const before = await everything(service);
  const said = await Promise.all(
    cases.map(([args, , stdin = ""]) => operator(service, args, { stdin })),
  );
  for (const [at, [, sentence]] of cases.entries())
    assert.deepEqual(said[at], { code: 1, stdout: "", stderr: `${sentence}\n` });
  assert.equal(await everything(service), before);
}

export function expectRefusal(
  service: TestService,
  args: readonly string[],
  sentence: string,
): Promise<void> {
  return expectRefusals(service, [[args, sentence]]);
}

export interface Entry {
  readonly action: string;
  readonly account_number: string | null;
  readonly actor: string;
  readonly detail: Record<string, unknown>;
}

/** What operators did, oldest first. */
export function operatorEntries(service: TestService): Promise<Entry[]> {
  return service.ctx.db.rows<Entry & Record<string, unknown>>(sql`
    select action, account_number, actor, detail from audit_entries
    where actor like 'operator %' order by entry_id`);
}

/** Only what differs from run to run is made alike: numbers, ids, and the room they take. */
export function masked(shown: string): string {
  return shown
    .replaceAll("\r\n", "\n")
    .replace(/[0-9A-HJKMNP-TV-Z]{26}\b/g, "<id>")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
    .replace(/\b[A-Z]{2}-[A-Z]{3}-\d{8}-[0-9A-F]{8}\b/g, "<batch>")
    .replace(/\b[0-9a-f]{64}\b/g, "<sha256>")
    .replace(/(shown this once:) \S+/g, "$1 <password>")
    .replace(/\/(reset|password)\/[\w-]{43}/g, "/$1/<token>")
    .replace(/\d+/g, "9")
    .replace(/ +/g, " ")
    .trim();
}
