/** Balance: what is there, and how it came about, day by day. */

import type { Answer } from "../../infra/http/answer.ts";
import { balancesOf } from "../../modules/ledger/balances.ts";
import { statementCsv } from "../../modules/statements/read-statement.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { csvFile } from "../csv-file.ts";
import { readMonth, STATEMENT_QUERY } from "./month.ts";
import { BALANCE, balancePage, printedStatement } from "./page.ts";

const right = "balances" as const;

const show = consoleRoute({
  method: "GET",
  path: BALANCE,
  summary: "Balance and statement",
  right,
  readsFromStandby: true,
  query: { ...STATEMENT_QUERY },
  async run({ db }: ConsoleContext, { query, read }, visitor): Promise<Answer> {
    const statement = await readMonth({ db, read }, visitor, query);
    const { accountNumber } = visitor.account;
    const { environment } = visitor;
    const balances = await balancesOf(db, accountNumber, environment);
    return balancePage(visitor, statement, [...balances.values()]);
  },
});

const csv = consoleRoute({
  method: "GET",
  path: `${BALANCE}/statement.csv`,
  summary: "A month's statement as CSV",
  right,
  readsFromStandby: true,
  query: { ...STATEMENT_QUERY },
  async run({ db }: ConsoleContext, { query, read }, visitor): Promise<Answer> {
    const statement = await readMonth({ db, read }, visitor, query);
    const { month, currency } = statement;
    const name = `statement-${visitor.environment}-${month}-${currency}.csv`;
    return csvFile(name, statementCsv(statement));
  },
});

const print = consoleRoute({
  method: "GET",
  path: `${BALANCE}/statement`,
  summary: "A month's statement to print",
  right,
  readsFromStandby: true,
  query: { ...STATEMENT_QUERY },
  run: async ({ db }: ConsoleContext, { query, read }, visitor) =>
    printedStatement(visitor, await readMonth({ db, read }, visitor, query)),
});

export const balanceRoutes: readonly ConsoleRoute<ConsoleContext>[] = [show, csv, print];
