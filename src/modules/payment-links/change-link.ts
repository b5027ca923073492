/**
 * Changes a payment link: everything but what it costs. Its row is locked, as it is where a card
 * takes a slot. So once it was answered that a link is off, no card is taken for it any more.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { fieldRefused } from "../../kit/fields/field.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { FieldRules } from "../checkout/request/request-fields.ts";
import { demandFuture } from "./create-link.ts";
import { demandSuccessUrl, type LinkChange } from "./link-fields.ts";
import { LINK, LINK_COLUMNS, type LinkRow, lockLink, type WantedLink } from "./payment-link.ts";

export const NOTHING_TO_CHANGE = "Give at least one field of the payment link.";

export async function changeLink(
  tx: Tx,
  caller: Caller,
  wanted: WantedLink,
  { change, rules }: { change: Omit<LinkChange, "environment">; rules: FieldRules },
): Promise<LinkRow> {
  await holdCredential(tx, caller, "read");
  const old = await lockLink(tx, wanted);
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  if (fields.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
  demandSuccessUrl(rules, old.environment, change);
  await demandFuture(tx, change);
  demandSlots(old, change);
  const kept = <T>(given: T | undefined, before: T) => (given === undefined ? before : given);
  const row = await tx.one(sqlOf(LINK)`
    update payment_links set
      title = ${change.title ?? old.title},
      is_active = ${change.active ?? old.is_active},
      label = ${kept(change.label, old.label)},
      description = ${kept(change.description, old.description)},
      max_payments = ${kept(change.max_payments, old.max_payments)},
      expires_at = ${kept(change.expires_at, old.expires_at)},
      reference_label = ${kept(change.reference_label, old.reference_label)},
      success_message = ${kept(change.success_message, old.success_message)},
      success_url = ${kept(change.success_url, old.success_url)},
      language = ${kept(change.language, old.language)},
      changed_at = app_now()
    where link_id = ${old.link_id}
    returning ${LINK_COLUMNS}`);
  await recordAudit(tx, caller, "payment_link_changed", {
    detail: { link_id: old.link_id, fields: fields.map(([name]) => name) },
  });
  return row;
}

/** Who has paid, or is paying, keeps the slot. */
function demandSlots(old: LinkRow, { max_payments: max }: Pick<LinkChange, "max_payments">): void {
  if (typeof max === "number" && max < old.slots_taken) throw tooFewSlots(old.slots_taken);
}

export function tooFewSlots(taken: number) {
  return fieldRefused(
    "max_payments",
    `must be at least ${taken}: so many payments were made or are being made`,
    {
      code: "field_out_of_range",
      field: "max_payments",
    },
  );
}
