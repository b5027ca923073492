/**
 * Who may be sent a receipt (Decision 0098). Where mail leaves the machine, a sandbox payment sends
 * none by itself, and one that is asked for goes only to people of the account: anybody can make
 * sandbox payments, with any e-mail and any words in them. In development nothing leaves, so the
 * sandbox behaves as live does.
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bool } from "../../infra/db/row.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { canSendMail } from "../mail/queue-mail.ts";

const NONE: readonly Environment[] = [];
const LIVE_ONLY: readonly Environment[] = ["live"];

type MailConfig = Pick<Config, "mail">;

/** Where a payment or refund mails its receipt by itself. */
export function mailsReceiptsIn(config: MailConfig): readonly Environment[] {
  if (!canSendMail(config)) return NONE;
  return leavesMachine(config) ? LIVE_ONLY : ENVIRONMENTS;
}

/** Of a receipt that a merchant asks for. */
export async function mayBeSentTo(
  db: Queryable,
  config: MailConfig,
  payment: { readonly environment: Environment; readonly accountNumber: string },
  email: string,
): Promise<boolean> {
  if (payment.environment === "live" || !leavesMachine(config)) return true;
  const { is_member } = await db.one(sqlOf({ is_member: bool })`
    select exists (
      select from members join persons using (person_id)
      where account_number = ${payment.accountNumber} and persons.email = ${email}
    ) as is_member`);
  return is_member;
}

function leavesMachine({ mail }: MailConfig): boolean {
  return mail.transport.kind === "smtp";
}
