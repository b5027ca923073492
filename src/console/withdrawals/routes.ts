/** Withdrawals: the list, one of them, and taking it back. */

import type { Answer } from "../../infra/http/answer.ts";
import { readFields } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { simulateWithdrawal } from "../../modules/sandbox-controls/simulate-withdrawal.ts";
import { withdrawalSimulationFields } from "../../modules/sandbox-controls/simulation-fields.ts";
import { historyBody } from "../../modules/transactions/history-page.ts";
import { cancelWithdrawal } from "../../modules/withdrawals/cancel-withdrawal.ts";
import { listWithdrawals } from "../../modules/withdrawals/list-withdrawals.ts";
import { findWithdrawal } from "../../modules/withdrawals/withdrawal.ts";
import { readWithdrawalHistory } from "../../modules/withdrawals/withdrawal-history.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { orRefused } from "../refused.ts";
import { inWordsOfList } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { bankRoutes } from "./bank-routes.ts";
import { type WithdrawalView, withdrawalPage } from "./detail-page.ts";
import { readListFilter } from "./list-filter.ts";
import { withdrawalsPage } from "./list-page.ts";
import { WITHDRAWALS } from "./paths.ts";
import { payeeListRoutes } from "./payee-list-routes.ts";
import { readBalances } from "./read-balances.ts";
import { readBanks } from "./read-banks.ts";
import { WITHDRAWAL_OUTCOME_WORDS } from "./simulate-withdrawal-panel.ts";
import { withdrawRoutes } from "./withdraw-routes.ts";

const right = "withdrawals" as const;
const params = { transaction_id: text({ max: 64 }) };

const list = consoleRoute({
  method: "GET",
  path: WITHDRAWALS,
  summary: "Withdrawals",
  right,
  readsFromStandby: true,
  async run({ db }: ConsoleContext, { url, read }, visitor): Promise<Answer> {
    const { filter, page, shown } = readListFilter(visitor, url);
    const [found, balances, banks] = await Promise.all([
      read((reads) => listWithdrawals(reads, filter, page)),
      readBalances(db, visitor),
      readBanks(db, visitor),
    ]);
    const { links } = historyBody(page, found, { rows: found.rows, list: found.list, url });
    return withdrawalsPage(visitor, {
      balances,
      banks,
      rows: found.rows,
      total: found.total,
      newer: pathOf(links.prev),
      older: pathOf(links.next),
      filter: shown,
    });
  },
});

/** Without the size of the page, which is ours. */
function pathOf(link: string | null): string | undefined {
  if (link === null) return undefined;
  const { pathname, searchParams } = new URL(link);
  for (const name of ["page_size", "done"]) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
}

async function showOne(
  { db }: ConsoleContext,
  visitor: Visitor,
  transactionId: string,
  again: Pick<WithdrawalView, "refused" | "simulated"> = {},
): Promise<Answer> {
  // Of either environment: the page has that of the withdrawal.
  const { accountNumber } = visitor.caller;
  const wanted = { transactionId, accountNumber, environment: undefined };
  const row = await findWithdrawal(db, wanted);
  const steps = await readWithdrawalHistory(db, row);
  return withdrawalPage(visitor, { row, steps, ...again });
}

const one = consoleRoute({
  method: "GET",
  path: `${WITHDRAWALS}/{transaction_id}`,
  summary: "One withdrawal",
  right,
  params,
  run: (ctx: ConsoleContext, { params: { transaction_id } }, visitor) =>
    showOne(ctx, visitor, transaction_id),
});

const cancel = consoleRoute({
  method: "POST",
  path: `${WITHDRAWALS}/{transaction_id}/cancel`,
  summary: "Cancel a pending withdrawal",
  right,
  params,
  run: (ctx: ConsoleContext, { params: { transaction_id: transactionId }, once }, visitor) => {
    const wanted = { transactionId, environment: undefined };
    return orRefused(
      () =>
        once(async (tx) => {
          await cancelWithdrawal(ctx, tx, visitor.caller, wanted);
          return `${WITHDRAWALS}/${transactionId}?done=cancelled`;
        }),
      (refused) => showOne(ctx, visitor, transactionId, { refused }),
    );
  },
});

const simulate = consoleRoute({
  method: "POST",
  path: `${WITHDRAWALS}/{transaction_id}/simulate`,
  summary: "Make something happen to a sandbox withdrawal",
  right,
  params,
  run(ctx: ConsoleContext, { params, texts, once }, visitor) {
    const { transaction_id: transactionId } = params;
    const sent = texts();
    return orRefused(
      async () => {
        const wanted = readFields(withdrawalSimulationFields, sent);
        return inWordsOfList(WITHDRAWAL_OUTCOME_WORDS, wanted.outcome, () =>
          once(async (tx) => {
            const simulation = { transactionId, environment: undefined, ...wanted };
            await simulateWithdrawal(tx, visitor.caller, simulation);
            return `${WITHDRAWALS}/${transactionId}?done=simulated`;
          }),
        );
      },
      (refused) => showOne(ctx, visitor, transactionId, { simulated: { sent, refused } }),
    );
  },
});

export const withdrawalPageRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  list,
  ...withdrawRoutes,
  ...payeeListRoutes,
  ...bankRoutes,
  one,
  cancel,
  simulate,
];
