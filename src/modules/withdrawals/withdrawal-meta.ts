/**
 * What a client needs to build the form of a withdrawal (Interface §4.3): the banks and documents
 * of a platform by the very rules that judge, what each status leads to, and what it costs
 * (Decision 0045). The same for everybody of a platform, and worth keeping until it changes.
 */

import { Type } from "typebox";
import type { Infra } from "../../infra/context.ts";
import { kept, keptAnswers } from "../../infra/http/kept-answer.ts";
import { publicRoute } from "../../infra/http/route.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { formatMoney, type Money } from "../../kit/money.ts";
import { COUNTRY_CODES } from "../../kit/vocabulary.ts";
import type { Bank } from "../platforms/banks.ts";
import { withdrawalTermsOf } from "../platforms/limits.ts";
import { type Platform, platformOf } from "../platforms/platform.ts";
import { shownAmount } from "../transactions/transaction.ts";
import { WITHDRAWAL_TYPES } from "./withdrawal.ts";
import { isFinal, mayMove, STATUS_NAMES, WITHDRAWAL_STATUSES } from "./withdrawal-status.ts";

const PLATFORM_OF_NOBODY = "TT";

const texts = Type.Array(Type.String());
const amounts = Type.Record(Type.String(), shownAmount);

const metaView = Type.Object({
  banks: Type.Array(
    Type.Object({
      name: Type.String({ description: "What is sent as `bank_name`." }),
      display_name: Type.String(),
      account: Type.Object({ min_length: Type.Integer(), max_length: Type.Integer() }),
      account_types: Type.Optional(texts),
      branches: Type.Optional(texts),
    }),
  ),
  ids: Type.Array(Type.Object({ type: Type.String(), regex: Type.String() })),
  statuses: Type.Array(
    Type.Object({
      value: Type.String(),
      description: Type.String(),
      cancellable: Type.Boolean(),
      final: Type.Boolean(),
      next: Type.Array(Type.String({ description: "What it may become." })),
    }),
  ),
  withdrawal_types: texts,
  fees: Type.Record(Type.String(), shownAmount, { description: "Taken beside the amount." }),
  minimums: amounts,
});

export const withdrawalMetaRoute = publicRoute({
  method: "GET",
  path: "/withdrawals/meta",
  group: "Withdrawals",
  summary: "Read what a withdrawal may say",
  about:
    "Needs no credential; with one, it is that of the caller's platform. Keep it with its ETag.",
  greetsCallers: true,
  query: {
    country_code: described(
      optional(oneOf(COUNTRY_CODES)),
      "The platform; absent: the caller's, or TT for who is not signed in.",
      "JM",
    ),
  },
  answers: keptAnswers(
    "Banks, documents, statuses, kinds, fees and minimums",
    Type.Object({ message: Type.Literal("OK"), data: metaView }),
  ),
  async run(_ctx: Infra, call, caller) {
    const country = call.query.country_code ?? caller?.countryCode ?? PLATFORM_OF_NOBODY;
    const body = { message: "OK", data: metaOf(platformOf(country)) };
    return kept(call, body, "authorization, x-svc-key");
  },
});

function metaOf({ banks, ids, currencies }: Platform) {
  const byCurrency = (of: (terms: ReturnType<typeof withdrawalTermsOf>) => Money) =>
    Object.fromEntries(currencies.map((one) => [one, formatMoney(of(withdrawalTermsOf(one)))]));
  return {
    banks: banks.map(viewBank),
    ids: ids.map(({ type, pattern }) => ({ type, regex: pattern.source })),
    statuses: STATUS_NAMES.map((value) => ({
      value,
      description: WITHDRAWAL_STATUSES[value].description,
      cancellable: mayMove(value, "cancelled"),
      final: isFinal(value),
      next: WITHDRAWAL_STATUSES[value].next,
    })),
    withdrawal_types: WITHDRAWAL_TYPES,
    fees: byCurrency(({ fee }) => fee),
    minimums: byCurrency(({ minimum }) => minimum),
  };
}

function viewBank({ name, displayName, account, accountTypes, branches }: Bank) {
  return {
    name,
    display_name: displayName,
    account: { min_length: account.minLength, max_length: account.maxLength },
    ...(accountTypes && { account_types: accountTypes }),
    ...(branches && { branches }),
  };
}
