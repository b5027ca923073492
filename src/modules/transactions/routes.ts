/** The history, one transaction, and what payments cost (Interface §4.5). */

import type { Infra } from "../../infra/context.ts";
import { ok, plainJson } from "../../infra/http/answer.ts";
import { reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { pageAnswer, pageFields } from "../../kit/page.ts";
import { EXAMPLE, saidWith } from "../../kit/response-schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { readFeesRoute, readMetaRoute } from "./fee-routes.ts";
import type { TransactionsContext } from "./find-transaction.ts";
import { CSV_TYPE, prefersCsv, streamHistory } from "./history-csv.ts";
import { filterFields, markOf, readFilter, UNFIT_FILTERS } from "./history-filter.ts";
import { asOfField, historyBody } from "./history-page.ts";
import { listTransactions, readRows } from "./list-transactions.ts";
import { environmentOfId, transactionView, viewTransaction } from "./transaction.ts";

const group = "Transactions";
const reading = { credentials: "either", anyScope: scopes("transactions", "retrieve") } as const;

const listTransactionsRoute = protectedRoute({
  method: "GET",
  path: "/transactions/",
  group,
  summary: "List transactions",
  about:
    "Newest first. Follow the links: they carry `as_of`, so that nothing is missed or repeated " +
    "while new transactions come; a `page` without it is of this moment. `total` is exact, " +
    "except in lists of more than 10,000 transactions more than 1,000 of which fit `total_min` " +
    "and `total_max`: then it is how many are known so far, and `links.next` tells whether there " +
    "are more. As CSV (`Accept: text/csv` or `format=csv`) all pages come as one.",
  access: reading,
  readsFromStandby: true,
  query: {
    ...filterFields,
    ...pageFields,
    as_of: asOfField,
    format: described(optional(oneOf(["json", "csv"])), "Instead of the Accept header.", "json"),
  },
  answers: {
    200: {
      about: "The transactions",
      body: pageAnswer(transactionView),
      alsoAs: "text/csv",
      headers: ["Vary", "Content-Disposition"],
    },
    400: { about: "A filter is malformed, or two do not go together", refusals: UNFIT_FILTERS },
  },
  async run({ log }: Infra, { query, url, accept, read }, caller) {
    const filter = readFilter(caller, query);
    const headers = { vary: "accept" };
    if (query.format === undefined ? prefersCsv(accept) : query.format === "csv")
      return {
        status: 200,
        body: await streamHistory({ read, log }, filter),
        contentType: CSV_TYPE,
        headers: { ...headers, "content-disposition": 'attachment; filename="transactions.csv"' },
      };
    const { page, page_size: pageSize, as_of: marker } = query;
    const request = { page, pageSize, marker };
    const list = markOf(filter, pageSize);
    return read(async (db) => {
      const found = await listTransactions(db, filter, request);
      const rows = (await readRows(db, found.keys)).map(viewTransaction);
      return plainJson(historyBody(request, found, { rows, list, url }), headers);
    });
  },
});

const readTransactionRoute = protectedRoute({
  method: "GET",
  path: "/transactions/{transaction_id}",
  group,
  summary: "Read one transaction",
  access: reading,
  params: {
    transaction_id: described(text({ max: 64 }), "Of the payment.", EXAMPLE.transactionId),
  },
  query: { environment: environmentOfId },
  answers: {
    200: { about: "The transaction", body: saidWith(transactionView) },
    404: { about: "No such transaction of this account within the credential's reach" },
  },
  async run(ctx: TransactionsContext, { params, query }, caller) {
    const row = await ctx.readTransaction({
      transactionId: params.transaction_id,
      accountNumber: caller.accountNumber,
      environment: reachOf(caller.credential, query.environment),
    });
    return ok({ data: viewTransaction(row) });
  },
});

export const transactionRoutes: readonly Route<TransactionsContext>[] = [
  listTransactionsRoute,
  readFeesRoute,
  readMetaRoute,
  readTransactionRoute,
];
