/** Bugs in what is kept for a time only, and in what is erased of a customer. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

export const privacyMutants: readonly Mutant[] = [
  {
    name: "audit-for-ever-is-dropped",
    breaks: "an operator who keeps the audit trail for ever loses all of it but this month",
    change: {
      file: "src/modules/privacy/keep-audit-months.ts",
      find: "if (auditMonths > 0) {",
      replace: "if (auditMonths >= 0) {",
    },
    caughtBy: ["test/privacy/audit-months.test.ts"],
  },
  {
    name: "audit-other-can-be-emptied",
    breaks: "entries that wait for their month can be deleted",
    change: {
      sql: "drop trigger an_entry_leaves_only_for_its_month on audit_entries_other",
    },
    caughtBy: ["test/privacy/audit-months.test.ts"],
  },
  {
    name: "erasure-in-every-account",
    breaks: "one merchant's request erases the customer of another",
    change: {
      file: "src/modules/accounts/each-account.ts",
      find: "if (accountNumber !== undefined) {",
      replace: 'if (accountNumber === "") {',
    },
    caughtBy: ["test/privacy/erase-customer.test.ts"],
  },
  {
    name: "erasure-leaves-answers",
    breaks: "what a receiver repeated of an erased customer stays with its delivery",
    change: {
      file: "src/modules/privacy/erase-customer.ts",
      find: "  await eraseAnswers(tx, events);\n",
      replace: "  void events;\n",
    },
    caughtBy: ["test/privacy/erase-customer.test.ts"],
  },
  {
    name: "erasure-passes-over-the-unfinished",
    breaks: "an unpaid payment that was not finished in time is kept for ever",
    change: {
      file: "src/modules/privacy/erase-unpaid.ts",
      find: "const passed = stop === -1 ? rows : rows.slice(0, stop);",
      replace: "const passed = rows;",
    },
    caughtBy: ["test/privacy/erase-unpaid.test.ts"],
  },
  {
    name: "erased-while-a-refund-is-under-way",
    breaks: "a refund that is rejected later cannot be explained to a customer nobody knows",
    change: {
      file: "src/modules/transactions/erase-payments.ts",
      find: "(status = 'incomplete' or refund_pending_minor > 0",
      replace: "(status = 'incomplete' or refund_pending_minor < 0",
    },
    caughtBy: ["test/privacy/erase-customer.test.ts"],
  },
  {
    name: "erasure-leaves-refund-reasons",
    breaks: "what a merchant wrote about an erased customer stays with the refund",
    change: {
      file: "src/modules/transactions/erase-payments.ts",
      find: "and ended_at is not null and reason is not null`",
      replace: "and ended_at is null and reason is not null`",
    },
    caughtBy: ["test/privacy/erase-customer.test.ts"],
  },
  {
    name: "erasure-leaves-mails",
    breaks: "the receipt of an erased customer waits in the mails, with the address",
    change: {
      file: "src/modules/receipts/forget-receipts.ts",
      find: "where (starts_with(reason, 'receipt ')",
      replace: "where (starts_with(reason, 'receipts ')",
    },
    caughtBy: ["test/privacy/erase-customer.test.ts"],
  },
  {
    name: "paid-order-erased-as-unpaid",
    breaks: "after a month merchants no longer know who bought what they have to deliver",
    change: {
      file: "src/modules/privacy/erase-unpaid.ts",
      find: "select transaction_id, status <> 'success' and ${hasWords} as is_unpaid,",
      replace: "select transaction_id, ${hasWords} as is_unpaid,",
    },
    caughtBy: ["test/privacy/erase-unpaid.test.ts"],
  },
];
