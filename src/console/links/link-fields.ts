/** What the forms of a payment link send, as the bodies that the API takes. */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { readFields } from "../../kit/fields/field.ts";
import { readWithAccountLimits } from "../../modules/checkout/request/account-limits.ts";
import { type FieldRules, rulesOf } from "../../modules/checkout/request/request-fields.ts";
import { linkChangeFields, newLinkFields } from "../../modules/payment-links/link-fields.ts";
import type { LinkRow } from "../../modules/payment-links/payment-link.ts";
import { lastDay, lastMoment } from "../last-day.ts";
import type { SentForm } from "../refused.ts";
import { withoutGrouping } from "../typed-amount.ts";
import type { Visitor } from "../visitor.ts";

export async function readNewLink(
  { config, db }: Pick<Infra, "config" | "db">,
  { account, caller, environment, timeZone }: Visitor,
  sent: SentForm,
) {
  const amounts = Object.fromEntries(
    ["amount", "amount_min", "amount_max"].map((name) => [name, withoutGrouping(sent[name] ?? "")]),
  );
  const rules = rulesOf(config);
  const expires_at = lastMoment(sent, timeZone);
  const typed = { ...sent, ...amounts, environment, expires_at };
  const read = (by: FieldRules) => readFields(newLinkFields(by, account.countryCode), typed);
  return { rules, values: await readWithAccountLimits(db, caller, rules, read) };
}

/** A day that was left as it stood is not sent: the end may be at another hour. */
export function readLinkChange(
  config: Config,
  { timeZone }: Visitor,
  { link, sent }: { readonly link: LinkRow; readonly sent: SentForm },
) {
  const isSame = (sent.expires_at ?? "") === lastDay(link.expires_at, timeZone);
  const expires_at = isSame ? undefined : (lastMoment(sent, timeZone) ?? null);
  return changeOf(config, { ...sent, expires_at });
}

export function changeOf(config: Config, body: Readonly<Record<string, unknown>>) {
  const rules = rulesOf(config);
  const { environment: _, ...change } = readFields(linkChangeFields(rules), body);
  return { rules, change };
}
