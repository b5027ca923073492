/**
 * What a client needs to build the form of a withdrawal (Interface §4.3): the banks and documents
 * of a platform by the rules that are applied, what each status leads to, and what it costs
 * (Decision 0045). The same for every caller of a platform, and cached until it changes.
 */

import type { Infra } from "../../infra/context.ts";
import { publicRoute } from "../../infra/http/route.ts";
import { cachedAnswers, kept } from "../../infra/http/serve/client-caching.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { formatMoney, type Money } from "../../kit/money.ts";
import {
  amountSchema,
  countSchema,
  flagSchema,
  saidWith,
  textSchema,
  textsSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { COUNTRY_CODES } from "../../kit/vocabulary.ts";
import type { Bank } from "../platforms/banks.ts";
import { withdrawalTermsOf } from "../platforms/limits.ts";
import { type Platform, platformOf } from "../platforms/platform.ts";
import {
  isFinal,
  mayMove,
  STATUS_NAMES,
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TYPES,
} from "./withdrawal.ts";

const PLATFORM_WITHOUT_CALLER = "TT";

const amounts = (about: string, example: object) =>
  Type.Record(amountSchema("By its currency.", "5.00"), {
    description: about,
    examples: [example],
  });

const bankMeta = Type.Object(
  {
    name: textSchema("What is sent as `bank_name`.", "First Citizens"),
    display_name: textSchema("What to show to people.", "First Citizens Bank"),
    account: Type.Object(
      {
        min_length: countSchema("The fewest digits.", 10),
        max_length: countSchema("The most digits.", 10),
      },
      { description: "How many digits the bank's account numbers have." },
    ),
    account_types: Type.Optional(textsSchema("Jamaica only.", ["chequing", "savings"])),
    branches: Type.Optional(textsSchema("Jamaica only.", ["Half Way Tree"])),
  },
  { title: "Bank" },
);

const statusMeta = Type.Object(
  {
    value: wordSchema(STATUS_NAMES, "The status."),
    description: textSchema("What it means.", WITHDRAWAL_STATUSES.pending.description),
    cancellable: flagSchema("Whether it can be taken back.", true),
    final: flagSchema("Whether it stays so.", false),
    next: textsSchema("What it may become.", WITHDRAWAL_STATUSES.pending.next),
  },
  { title: "WithdrawalStatus" },
);

const metaView = Type.Object({
  banks: Type.Array(bankMeta, { description: "Those of the platform." }),
  ids: Type.Array(
    Type.Object({
      type: textSchema("What is sent as `id_type`.", "passport"),
      regex: textSchema("What an `id_number` of that type fits.", "^[A-Z]{2}[0-9]{6}$"),
    }),
    { description: "The documents that show who is paid." },
  ),
  statuses: Type.Array(statusMeta, { description: "Every status there is." }),
  withdrawal_types: textsSchema("What is sent as `withdrawal_type`.", WITHDRAWAL_TYPES),
  fees: amounts("Taken beside the amount, by currency.", { TTD: "5.00", USD: "5.00" }),
  minimums: amounts("The least amount, by currency.", { TTD: "5.00", USD: "0.74" }),
});

export const withdrawalMetaRoute = publicRoute({
  method: "GET",
  path: "/withdrawals/meta",
  group: "Withdrawals",
  summary: "Read what a withdrawal may say",
  about:
    "Needs no credential; with one, it is that of the caller's platform. Keep it with its ETag.",
  optionalCaller: true,
  query: {
    country_code: described(
      optional(oneOf(COUNTRY_CODES)),
      "The platform; absent: the caller's, or TT for who is not signed in.",
      "JM",
    ),
  },
  answers: cachedAnswers(
    "Banks, documents, statuses, kinds, fees and minimums",
    saidWith(metaView),
  ),
  async run(_ctx: Infra, call, caller) {
    const country = call.query.country_code ?? caller?.countryCode ?? PLATFORM_WITHOUT_CALLER;
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
