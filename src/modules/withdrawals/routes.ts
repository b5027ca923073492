/** Creating, cancelling and reading withdrawals (Interface §4.3). */

import { TooManyAttempts } from "../../infra/http/admit/rate-limiter.ts";
import { created, ok, plainJson } from "../../infra/http/answer.ts";
import { reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { Forbidden } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { pageAnswer, pageFields } from "../../kit/page.ts";
import {
  EXAMPLE,
  saidOnly,
  saidWith,
  textSchema,
  transactionIdSchema,
  uuidSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { COUNTRY_CODES, type CountryCode } from "../../kit/vocabulary.ts";
import { InsufficientFunds } from "../ledger/posting.ts";
import { platformOf } from "../platforms/platform.ts";
import { asOfField, historyBody } from "../transactions/history-page.ts";
import { environmentOfId } from "../transactions/transaction.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import type { WithdrawalsContext } from "./context.ts";
import { auditedWhenTooMany, createWithdrawal } from "./create-withdrawal.ts";
import {
  filterFields,
  listWithdrawals,
  readWithdrawalFilter,
  UNFIT_FILTERS,
} from "./list-withdrawals.ts";
import { WithdrawalCannotMove } from "./move-withdrawal.ts";
import { NoBankDetails } from "./payee.ts";
import {
  findWithdrawal,
  mayMove,
  STATUS_NAMES,
  viewWithdrawal,
  withdrawalView,
} from "./withdrawal.ts";
import { exampleFor, PLATFORM_REFUSALS, withdrawalFields } from "./withdrawal-fields.ts";
import { withdrawalMetaRoute } from "./withdrawal-meta.ts";

const group = "Withdrawals";
const reading = { credentials: "either", anyScope: scopes("withdrawals", "retrieve") } as const;
const whichOne = {
  transaction_id: described(text({ max: 64 }), "Of the withdrawal.", EXAMPLE.transactionId),
};
const notFound = { about: "No such withdrawal of this account within the credential's reach" };

/** Made once for each platform, and not with every request. */
const fieldsOf = Object.fromEntries(
  COUNTRY_CODES.map((code) => [code, withdrawalFields(platformOf(code))]),
) as Record<CountryCode, ReturnType<typeof withdrawalFields>>;

const newWithdrawal = Type.Object({
  data: textSchema("As it was sent; empty when it was not.", '{"batch":7}'),
  reference: uuidSchema("What the bank knows it by."),
  transaction_id: transactionIdSchema("Of the withdrawal."),
});

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
  examples: {
    normal: { about: "To the account's own bank", body: exampleFor("normal") },
    sub_banked: { about: "To a bank account of somebody else", body: exampleFor("sub_banked") },
    sub_unbanked: { about: "To a person without one", body: exampleFor("sub_unbanked") },
  },
  bodyFor: ({ countryCode }) => fieldsOf[countryCode],
  answers: {
    201: { about: "Asked for, and the money is held", body: saidWith(newWithdrawal, "Created") },
    400: {
      about: "A field is malformed, or not as the platform has it",
      refusals: PLATFORM_REFUSALS,
    },
    403: {
      about: "The credential lacks the scope, or the account is no main merchant",
      refusals: [new Forbidden()],
    },
    422: {
      about:
        "Funds are short, there are no bank details for the currency, or the Idempotency-Key " +
        "was used with a different request",
      refusals: [new InsufficientFunds(), new NoBankDetails("TTD")],
    },
    429: {
      about: "Too many requests within a minute, or withdrawals within a day",
      refusals: [new TooManyAttempts(1)],
    },
  },
  async run(ctx: WithdrawalsContext, { body, once }, caller) {
    const creating = once(async (tx) => {
      const row = await createWithdrawal(ctx, tx, caller, body);
      const { data, reference, transaction_id } = row;
      return created({ data: { data, reference, transaction_id } });
    });
    return auditedWhenTooMany(ctx, caller, creating);
  },
});

const cancelWithdrawalRoute = protectedRoute({
  method: "DELETE",
  path: "/withdrawals/{transaction_id}",
  group,
  summary: "Cancel a pending withdrawal",
  about: "Amount and fee are back at once. It stays in the history under `with_deleted`.",
  access: {
    credentials: "either",
    changes: "environment",
    anyScope: scopes("withdrawals", "delete"),
  },
  params: whichOne,
  query: { environment: environmentOfId },
  answers: {
    200: { about: "Cancelled", body: saidOnly() },
    404: notFound,
    409: {
      about: "It is not pending any more",
      refusals: STATUS_NAMES.filter((status) => !mayMove(status, "cancelled")).map(
        (status) => new WithdrawalCannotMove(status, "cancelled"),
      ),
    },
  },
  async run(ctx: WithdrawalsContext, { params, query: { environment }, once }, caller) {
    const request = { transactionId: params.transaction_id, environment };
    return once(async (tx) => {
      await cancelWithdrawal(ctx, tx, caller, request);
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
  readsFromStandby: true,
  query: { ...filterFields, ...pageFields, as_of: asOfField },
  answers: {
    200: { about: "The withdrawals", body: pageAnswer(withdrawalView) },
    400: { about: "A filter is malformed, or two do not go together", refusals: UNFIT_FILTERS },
  },
  async run(_ctx: WithdrawalsContext, { query, url, read }, caller) {
    const filter = readWithdrawalFilter(caller, query);
    const request = { page: query.page, pageSize: query.page_size, marker: query.as_of };
    const found = await read((db) => listWithdrawals(db, filter, request));
    const rows = found.rows.map(viewWithdrawal);
    return plainJson(historyBody(request, found, { rows, list: found.list, url }));
  },
});

const readWithdrawalRoute = protectedRoute({
  method: "GET",
  path: "/withdrawals/{transaction_id}",
  group,
  summary: "Read one withdrawal",
  access: reading,
  params: whichOne,
  query: { environment: environmentOfId },
  answers: {
    200: { about: "The withdrawal", body: saidWith(withdrawalView) },
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
