/** A mail to everybody who may approve what begins to wait: once for each, in the tx that asks. */

import type { Config } from "../../../infra/config.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { describeMoney } from "../../../kit/money.ts";
import { rolesWith } from "../../../kit/operator-roles.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { listSecondPersons } from "../../people/operators/operator.ts";
import type { Command, Moved } from "../command.ts";

export async function tellApprovers(
  config: Config,
  tx: Tx,
  asked: {
    readonly approvalId: string;
    readonly command: Extract<Command, { kind: "action" }>;
    readonly moved: Moved;
    readonly by: { readonly personId: string; readonly email: string };
  },
): Promise<void> {
  const { approvalId, command, moved, by } = asked;
  if (typeof command.right !== "string") return;
  const others = await listSecondPersons(tx, {
    roles: rolesWith(command.right),
    except: by.personId,
  });
  const amount = describeMoney(moved.amount);
  await queueMails(config, tx, {
    recipients: others.map(({ person_id, email }) => ({
      reason: `approval ${approvalId} ${person_id}`,
      to: email,
    })),
    subject: `Waiting for approval: ${amount}`,
    content: {
      heading: `${amount} waits for approval`,
      parts: [
        `${by.email} asks to ${command.about}. Nothing has been done yet.`,
        {
          link: `${config.http.publicUrl}/operator/approvals/${approvalId}`,
          text: "Look at it",
        },
        "One of you has to approve it within a day; then the request ends.",
      ],
    },
  });
}
