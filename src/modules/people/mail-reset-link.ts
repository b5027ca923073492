/** The mail with a link to set a password, in the words of why it was made. */

import type { Tx } from "../../infra/db/transaction.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { Person } from "./person.ts";
import { RESET_LINK_MINUTES } from "./reset-link.ts";

interface Words {
  readonly subject: string;
  readonly why: string;
  readonly effect?: string;
  readonly otherwise: string;
}

const TELL_US = "do not use the link, and tell us: somebody may be trying to sign in as you.";

const A_NEW_ONE = {
  subject: "Set a new password",
  effect: "Setting a password signs you out everywhere.",
};

const WORDS = {
  who_forgot: {
    ...A_NEW_ONE,
    why: "Somebody, we hope you, asked for a link to set a new password.",
    otherwise: "If you did not ask for it, there is nothing to do: your password stays as it is.",
  },
  who_was_helped: {
    ...A_NEW_ONE,
    why: "You asked us for help to sign in. With this link you set a new password.",
    otherwise: `If you did not ask us, ${TELL_US}`,
  },
  new_operator: {
    subject: "Set your password",
    why: "You were added to the operators of this service. With this link you set your password.",
    otherwise: "If you do not know why, do not use the link, and ask the other operators.",
  },
  operator_who_was_helped: {
    ...A_NEW_ONE,
    why: "Another operator made this link for you, to set a new password.",
    otherwise: `If you did not ask for it, ${TELL_US}`,
  },
} satisfies Record<string, Words>;

export type LinkMadeFor = keyof typeof WORDS;

export async function mailResetLink(
  config: Parameters<typeof queueMail>[0],
  tx: Tx,
  { personId, email }: Pick<Person, "personId" | "email">,
  link: { readonly url: string; readonly expiresAt: Date; readonly madeFor: LinkMadeFor },
): Promise<void> {
  const { subject, why, effect, otherwise }: Words = WORDS[link.madeFor];
  const once = `The link works once, within ${RESET_LINK_MINUTES} minutes.`;
  await queueMail(config, tx, {
    reason: `reset ${personId} ${link.expiresAt.toISOString()}`,
    to: email,
    subject,
    content: {
      heading: subject,
      parts: [
        why,
        { link: link.url, text: subject },
        effect === undefined ? once : `${once} ${effect}`,
        otherwise,
      ],
    },
  });
}
