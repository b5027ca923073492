/** What narrows the list of withdrawals, by the address and the rules of the API's filters. */

import { ServiceError } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { daySpan } from "../../kit/local-day.ts";
import { pageFields } from "../../kit/page.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { asOfField } from "../../modules/transactions/history-page.ts";
import { filterFields, readWithdrawalFilter } from "../../modules/withdrawals/list-withdrawals.ts";
import { STATUS_NAMES, WITHDRAWAL_TYPES } from "../../modules/withdrawals/withdrawal.ts";
import { dateField, selectField, textField } from "../../parts/field.ts";
import { filterForm } from "../../parts/filter-form.ts";
import { problemSummary } from "../../parts/notice.ts";
import type { SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { WITHDRAWALS } from "./paths.ts";
import { STATUS_WORDS, TYPE_WORDS } from "./words.ts";

const PAGE_SIZE = 25;
const NAMES = ["status", "withdrawal_type", "currency", "start_date", "end_date"] as const;
const AMOUNTS = ["amount_min", "amount_max"] as const;

export interface ListFilter {
  /** As they stand in the address. */
  readonly sent: SentForm;
  readonly isSet: boolean;
  /** What is wrong with them; then the list is shown without any. */
  readonly problem?: Html;
}

export function readListFilter(visitor: Visitor, url: string) {
  const sent = Object.fromEntries(new URL(url).searchParams);
  const isSet = [...NAMES, ...AMOUNTS, "find"].some((name) => (sent[name] ?? "") !== "");
  try {
    return { ...readSent(visitor, sent), shown: { sent, isSet } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message } = error;
    const problem = problemSummary([{ message }], "These filters cannot be used");
    return { ...readSent(visitor, {}), shown: { sent, isSet: false, problem } };
  }
}

function readSent(visitor: Visitor, sent: SentForm) {
  const { environment, caller, timeZone } = visitor;
  const find = (sent.find ?? "").trim();
  const found = find === "" ? {} : byText(find);
  const shape = { ...filterFields, page: pageFields.page, as_of: asOfField };
  const read = readFields(shape, { ...sent, ...found, environment, with_deleted: "true" });
  const { start_date: first, end_date: last } = read;
  return {
    filter: {
      ...readWithdrawalFilter(caller, read),
      // Days of the account, where the API has those of UTC.
      ...daySpan({ first, last }, timeZone),
    },
    page: { page: read.page, pageSize: PAGE_SIZE, marker: read.as_of },
  };
}

function amountField(name: string, label: string, value: string): Html {
  return textField({ name, label, inputmode: "decimal", value });
}

/** The bank's reference has the shape of a UUID; anything else is taken for our own id. */
function byText(find: string): Readonly<Record<string, string>> {
  return /^[0-9a-f]{8}-/i.test(find) ? { reference: find } : { transaction_id: find.toUpperCase() };
}

export function listFilters(visitor: Visitor, { sent, isSet }: ListFilter): Html {
  const { currencies } = platformOf(visitor.account.countryCode);
  const value = (name: string) => sent[name] ?? "";
  const choose = (name: string, label: string, options: readonly [string, string][]) =>
    selectField({
      name,
      label,
      empty: "Any",
      value: value(name),
      options: options.map(([each, text]) => ({ value: each, text })),
    });
  return filterForm({
    action: WITHDRAWALS,
    search: {
      name: "find",
      label: "Find by id or bank reference",
      value: value("find"),
      placeholder: "Id or bank reference",
    },
    filtersSet: [...NAMES, ...AMOUNTS].filter((name) => value(name) !== "").length,
    clearHref: isSet ? WITHDRAWALS : undefined,
    filters: html`${choose(
      "status",
      "State",
      STATUS_NAMES.map((name) => [name, STATUS_WORDS[name].text]),
    )}
${
  visitor.account.isMainMerchant &&
  choose(
    "withdrawal_type",
    "Kind",
    WITHDRAWAL_TYPES.map((type) => [type, TYPE_WORDS[type]]),
  )
}
${choose(
  "currency",
  "Currency",
  currencies.map((each) => [each, each]),
)}
${amountField("amount_min", "Amount from", value("amount_min"))}
${amountField("amount_max", "Amount to", value("amount_max"))}
${dateField({ name: "start_date", label: "From", value: value("start_date") })}
${dateField({ name: "end_date", label: "To", value: value("end_date") })}`,
  });
}
