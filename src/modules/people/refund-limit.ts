/**
 * How much a member may refund of one payment, over all refunds of it (Decision 0084). Read in the
 * tx of the refund, so that a role or limit that was just changed counts.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bigint, columns, nullable, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { ServiceError } from "../../kit/errors.ts";
import { type Currency, compareMoney, describeMoney, type Money, money } from "../../kit/money.ts";
import { mayDo, type Role } from "../../kit/roles.ts";
import { refundLimitsOf } from "./member.ts";

class RefundBeyondRole extends ServiceError {
  constructor(limit: Money) {
    super("refund_beyond_role", {
      field: "amount",
      message: `Your role refunds at most ${describeMoney(limit)} of one payment.`,
    });
  }
}

const LIMIT = { ...pick(tables.members, "role"), limit_minor: nullable(bigint) };

/** Of all refunds of one payment; undefined: as much as was paid. For pages, to be shown. */
export async function refundLimitOf(
  db: Queryable,
  member: { readonly accountNumber: string; readonly personId: string; readonly role: Role },
  currency: Currency,
): Promise<Money | undefined> {
  if (!mayDo(member.role, "refunds")) return money(currency, 0n);
  if (member.role !== "support") return undefined;
  const limits = await refundLimitsOf(db, member);
  return limits.find((limit) => limit.currency === currency) ?? money(currency, 0n);
}

/** `total`: what will have been refunded of the payment, this refund included. */
export async function demandWithinRole(tx: Tx, caller: Caller, total: Money): Promise<void> {
  const { credential, accountNumber } = caller;
  // Tokens and keys have scopes instead.
  if (credential.kind !== "session") return;
  const member = await tx.maybeOne(sqlOf(LIMIT)`
    select ${columns(LIMIT)}
    from members left join member_refund_limits as limits
      on limits.account_number = members.account_number
        and limits.person_id = members.person_id and currency = ${total.currency}
    where members.account_number = ${accountNumber} and members.person_id = ${credential.personId}
    for share of members`);
  if (member === undefined || !mayDo(member.role, "refunds"))
    throw new RefundBeyondRole(money(total.currency, 0n));
  if (member.role !== "support") return;
  const limit = money(total.currency, member.limit_minor ?? 0n);
  if (compareMoney(total, limit) > 0) throw new RefundBeyondRole(limit);
}
