/**
 * Which indexes a page of the history reads and how many rows, as PostgreSQL tells it with
 * auto_explain while the service's own functions find the page. Kept with the figures, because a
 * figure alone does not say whether it would hold for ten times as many rows.
 */

import pg from "pg";
import { type Queryable, queryable } from "../../src/infra/db/query.ts";
import type { Caller } from "../../src/infra/http/caller.ts";
import { readFields } from "../../src/kit/fields/field.ts";
import { filterFields, readFilter } from "../../src/modules/transactions/history-filter.ts";
import { listTransactions } from "../../src/modules/transactions/list-transactions.ts";

const DEMO_MERCHANT: Caller = {
  accountNumber: "1234567890",
  accountType: "BUSINESS",
  countryCode: "TT",
  isMainMerchant: true,
  scopes: new Set(),
  credential: { kind: "bearer", grantId: "", expiresAt: new Date(0) },
};
const PAGE_SIZE = 20;

export interface PageExplainer {
  /** The scans of one page, an address such as `/transactions/?status=failed&page=3`. */
  explain(path: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function openPageExplainer(url: URL): Promise<PageExplainer> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  for (const setting of SETTINGS) await client.query(setting);
  const told: string[] = [];
  client.on("notice", ({ message }) => told.push(message ?? ""));
  const db: Queryable = queryable(({ text, values }) => client.query(text, values));
  return {
    async explain(path) {
      told.length = 0;
      const query = Object.fromEntries(new URL(path, "http://bench").searchParams);
      const filter = readFilter(DEMO_MERCHANT, readFields(filterFields, query));
      const asked = { page: Number(query.page ?? 1), pageSize: PAGE_SIZE, marker: undefined };
      await listTransactions(db, filter, asked);
      return told
        .flatMap((plan) => plan.split("\n"))
        .filter(isScan)
        .map(tidy);
    },
    close: () => client.end(),
  };
}

const SETTINGS = [
  "load 'auto_explain'",
  "set auto_explain.log_min_duration = 0",
  "set auto_explain.log_analyze = on",
  "set auto_explain.log_timing = off",
  "set auto_explain.log_nested_statements = on",
  "set client_min_messages = log",
];

function isScan(line: string): boolean {
  return / Scan (?:using|on|Backward) /.test(line) && !line.includes("never executed");
}

/** Without what the planner had guessed. */
function tidy(line: string): string {
  return line.replace(/^[\s>-]+/, "").replace(/\s*\(cost=[^)]*\)/, "");
}
