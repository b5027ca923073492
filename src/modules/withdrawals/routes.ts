/** Withdrawals: asking for one, taking it back, and reading them (Interface §4.3). */

import { Type } from "typebox";
import { created, ok, plainJson } from "../../infra/http/answer.ts";
import { reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { pageAnswer, pageFields } from "../../kit/page.ts";
import { scopes } from "../../kit/scopes.ts";
import { platformOf } from "../platforms/platform.ts";
import { asOfField } from "../transactions/history-marker.ts";
import { historyBody } from "../transactions/history-page.ts";
import { ENVIRONMENTS } from "../transactions/transaction.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import type { WithdrawalsContext } from "./context.ts";
import { createWithdrawal } from "./create-withdrawal.ts";
import { auditedWhenTooMany } from "./daily-limit.ts";
import { listWithdrawals } from "./list-withdrawals.ts";
import { findWithdrawal, viewWithdrawal, withdrawalView } from "./withdrawal.ts";
import { withdrawalFields } from "./withdrawal-fields.ts";
import { filterFields, readWithdrawalFilter } from "./withdrawal-filter.ts";
import { withdrawalMetaRoute } from "./withdrawal-meta.ts";

const group = "Withdrawals";
const reading = { credentials: "either", anyScope: scopes("withdrawals", "retrieve") } as const;
const whichOne = { transaction_id: text({ max: 64 }) };
const notFound = { about: "No such withdrawal of this account within the credential's reach" };

/** Made once for each platform, and not with every request. */
const fieldsOf = {
  BB: withdrawalFields(platformOf("BB")),
  GD: withdrawalFields(platformOf("GD")),
  GY: withdrawalFields(platformOf("GY")),
  JM: withdrawalFields(platformOf("JM")),
  TT: withdrawalFields(platformOf("TT")),
};

const createWithdrawalRoute = protectedRoute({
  method: "POST",
  path: "/withdrawals/",
  group,
  summary: "Ask for a withdrawal",
  about:
    "Amount and fee are held at once. `normal` pays the account's own bank for the currency, as " +
    "it is at this moment; the others are for main merchants. Takes a bearer token only. Give an " +
    "`Idempotency-Key`, and a request that is sent twice pays once.",
  access: { credentials: "bearer", anyScope: scopes("withdrawals", "create") },
  idempotent: true,
  body: withdrawalFields(),
  bodyFor: ({ countryCode }) => fieldsOf[countryCode],
  answers: {
    201: {
      about: "Asked for, and the money is held",
      body: Type.Object({
        message: Type.Literal("Created"),
        data: Type.Object({
          data: Type.String({ description: "As it was sent; empty when it was not." }),
          reference: Type.String({ format: "uuid" }),
          transaction_id: Type.String(),
        }),
      }),
    },
    409: { about: "The same Idempotency-Key is still running" },
    422: {
      about:
        "Funds are short, there are no bank details for the currency, or the Idempotency-Key " +
        "was used with a different request",
    },
  },
  async run(ctx: WithdrawalsContext, { body, once }, caller) {
    const asking = once(async (tx) => {
      const row = await createWithdrawal(ctx, tx, caller, body);
      const { data, reference, transaction_id } = row;
      return created({ data: { data, reference, transaction_id } });
    });
    return auditedWhenTooMany(ctx, caller, asking);
  },
});

const cancelWithdrawalRoute = protectedRoute({
  method: "DELETE",
  path: "/withdrawals/{transaction_id}",
  group,
  summary: "Cancel a pending withdrawal",
  about: "Amount and fee are back at once. It stays in the history under `with_deleted`.",
  access: { credentials: "either", anyScope: scopes("withdrawals", "delete") },
  params: whichOne,
  answers: {
    200: { about: "Cancelled", body: Type.Object({ message: Type.Literal("OK") }) },
    404: notFound,
    409: { about: "It is not pending any more" },
  },
  async run(ctx: WithdrawalsContext, { params, once }, caller) {
    return once(async (tx) => {
      await cancelWithdrawal(ctx, tx, caller, params.transaction_id);
      return ok();
    });
  },
});

const listWithdrawalsRoute = protectedRoute({
  method: "GET",
  path: "/withdrawals/",
  group,
  summary: "List withdrawals",
  about:
    "Newest first. Filters combine. Follow the links: they carry `as_of`, so that nothing is " +
    "missed or repeated while new withdrawals come.",
  access: reading,
  query: { ...filterFields, ...pageFields, as_of: asOfField },
  answers: { 200: { about: "The withdrawals", body: pageAnswer(withdrawalView) } },
  async run(ctx: WithdrawalsContext, { query, url }, caller) {
    const filter = readWithdrawalFilter(caller, query);
    const asked = { page: query.page, pageSize: query.page_size, marker: query.as_of };
    const found = await listWithdrawals(ctx.db, filter, asked);
    const { list } = found;
    return plainJson(
      historyBody(asked, found, { rows: found.rows.map(viewWithdrawal), list, url }),
    );
  },
});

const readWithdrawalRoute = protectedRoute({
  method: "GET",
  path: "/withdrawals/{transaction_id}",
  group,
  summary: "Read one withdrawal",
  access: reading,
  params: whichOne,
  query: {
    environment: described(
      optional(oneOf(ENVIRONMENTS)),
      "Absent: the one that the id names, as far as the credential reaches.",
      "sandbox",
    ),
  },
  answers: {
    200: {
      about: "The withdrawal",
      body: Type.Object({ message: Type.Literal("OK"), data: withdrawalView }),
    },
    404: notFound,
  },
  async run(ctx: WithdrawalsContext, { params, query }, caller) {
    const row = await findWithdrawal(ctx.db, {
      transactionId: params.transaction_id,
      accountNumber: caller.accountNumber,
      environment: reachOf(caller.credential, query.environment),
    });
    return ok({ data: viewWithdrawal(row) });
  },
});

export const withdrawalRoutes: readonly Route<WithdrawalsContext>[] = [
  createWithdrawalRoute,
  cancelWithdrawalRoute,
  listWithdrawalsRoute,
  withdrawalMetaRoute,
  readWithdrawalRoute,
];
