/** Bugs in mail to people: twice, never, to the wrong ones, or kept; and in receipts. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const MAIL = "src/modules/mail";
const RECEIPTS = "src/modules/receipts";

export const mailMutants: readonly Mutant[] = [
  {
    name: "mail-sent-by-two",
    breaks: "two processes that look at once send one mail twice",
    change: {
      file: `${MAIL}/send-mail.ts`,
      find: "order by next_try_at limit 1 for update skip locked)",
      replace: "order by next_try_at limit 1)",
    },
    caughtBy: ["test/mail/send.test.ts"],
  },
  {
    name: "mail-claimed-for-a-second",
    breaks: "while a slow mail server takes a mail, another process sends it again",
    change: {
      file: `${MAIL}/send-mail.ts`,
      find: "next_try_at = ${leaseEnd(LEASE_SECONDS)}",
      replace: "next_try_at = ${leaseEnd(0.001)}",
    },
    caughtBy: ["test/mail/send.test.ts", "test/mail/retry.test.ts"],
  },
  {
    name: "mail-tried-for-ever",
    breaks: "a mail that kills its process kills one process after another",
    change: {
      file: `${MAIL}/send-mail.ts`,
      find: "if (mail.attempt_count > ATTEMPTS_MAX)",
      replace: "if (mail.attempt_count > 10 * ATTEMPTS_MAX)",
    },
    caughtBy: ["test/mail/retry.test.ts"],
  },
  {
    name: "late-mail-failure-decides",
    breaks: "a mail that a second attempt is sending is given up by the first, which was late",
    change: {
      file: `${MAIL}/record-outcome.ts`,
      find: " and state = 'waiting' and attempt_count = ${attempt_count}`",
      replace: " and state = 'waiting' and ${attempt_count}::int > 0`",
    },
    caughtBy: ["test/mail/retry.test.ts"],
  },
  {
    name: "sent-mail-kept",
    breaks: "a link that sets a password stays in the database after it was sent",
    change: {
      file: `${MAIL}/record-outcome.ts`,
      find: 'const isKept = config.mail.transport.kind === "mailbox";',
      replace: 'const isKept = config.mail.transport.kind !== "none";',
    },
    caughtBy: ["test/mail/send.test.ts"],
  },
  {
    name: "mail-moved-to-another-address",
    breaks: "who can write a row of mails sends somebody's reset link to himself",
    change: {
      file: `${MAIL}/mail-content.ts`,
      find: "return `mail ${mailId} to ${recipient}`;",
      replace: "return `mail ${mailId} to ${recipient.slice(0, 0)}`;",
    },
    caughtBy: ["test/mail/send.test.ts"],
  },
  {
    name: "sandbox-mails-receipts",
    breaks: "anybody writes to any address in our name, with a payment of the sandbox",
    change: {
      file: `${RECEIPTS}/may-mail.ts`,
      find: "return leavesMachine(config) ? LIVE_ONLY : ENVIRONMENTS;",
      replace: "return leavesMachine(config) ? ENVIRONMENTS : LIVE_ONLY;",
    },
    caughtBy: ["test/receipts/mail.test.ts"],
  },
  {
    name: "sandbox-receipt-to-anybody",
    breaks: "a developer's key sends mail with any words to any address",
    change: {
      file: `${RECEIPTS}/may-mail.ts`,
      find: "where account_number = ${payment.accountNumber} and persons.email = ${email}",
      replace: "where account_number = ${payment.accountNumber} and ${email}::text <> ''",
    },
    caughtBy: ["test/api/receipts/send.test.ts"],
  },
  {
    name: "one-proof-for-all-receipts",
    breaks: "a customer reads everybody's receipts of the country",
    change: {
      file: `${RECEIPTS}/receipt-token.ts`,
      find: '"receipt"), transactionId)',
      replace: '"receipt"), transactionId.slice(0, 2))',
    },
    caughtBy: ["test/receipts/page.test.ts"],
  },
  {
    name: "receipt-of-a-rejected-refund",
    breaks: "a customer is told of money that did not come back",
    change: {
      file: `${RECEIPTS}/receipt.ts`,
      find: "where transaction_id = ${transaction_id} and state = 'refunded'",
      replace: "where transaction_id = ${transaction_id} and ended_at is not null",
    },
    caughtBy: ["test/receipts/mail.test.ts"],
  },
  {
    name: "bad-receipt-holds-up-others",
    breaks: "a receipt that cannot be made is tried first each time, and soon only such ones are",
    change: {
      file: "src/infra/jobs/due-notes.ts",
      find: "      await postpone(db, table, id);\n",
      replace: "",
    },
    caughtBy: ["test/receipts/mail.test.ts", "test/faults/receipt-kills.test.ts"],
  },
];
