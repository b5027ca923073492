/** Bugs in what keeps people of the operator honest and their console to them. */

import type { Mutant } from "./mutant.ts";

const ACCESS = "test/operator-console/access.test.ts";
const AUDIT = "test/operator-console/audit.test.ts";
const DISCLOSURE = "test/operator-console/attacks/disclosure.test.ts";
const FORMS = "test/operator-console/attacks/forms.test.ts";
const GUESSING = "test/operator-console/attacks/guessing.test.ts";
const RACES = "test/operator-console/approval-races.test.ts";
const SECOND = "test/operator-console/second-person.test.ts";
const SESSIONS = "test/operator-console/attacks/sessions.test.ts";

const APPROVE = "src/modules/operator/approvals/approve.ts";
const APPROVAL = "src/modules/operator/approvals/approval.ts";
const THRESHOLD = "src/modules/operator/approvals/second-person.ts";
const FORM_KEY = "src/operator-console/actions/form-key.ts";
const ROUTE = "src/operator-console/operator-route.ts";
const SESSION = "src/modules/people/operators/operator-session.ts";

const secondPerson: readonly Mutant[] = [
  {
    name: "operator-approves-own",
    breaks: "one stolen operator asks for a refund and approves it",
    change: {
      file: APPROVE,
      find: "personOf(second) === row.asked_by || second.by.toLowerCase() === row.asked_by_email",
      replace: 'second.by === ""',
    },
    caughtBy: [SECOND],
  },
  {
    name: "operator-approves-own-by-name",
    breaks: "at a terminal somebody approves in the asker's name",
    change: {
      file: APPROVE,
      find: "by.toLowerCase() === row.asked_by_email",
      replace: 'by === ""',
    },
    caughtBy: [SECOND],
  },
  {
    name: "operator-threshold-off-by-one",
    breaks: "exactly the amount that needs two people moves by one",
    change: { file: THRESHOLD, find: " >= from", replace: " > from" },
    caughtBy: [SECOND],
  },
  {
    name: "operator-threshold-in-any-currency",
    breaks: "4,999 US dollars move by one person, though they are worth 34,000 TTD",
    change: {
      file: THRESHOLD,
      find: 'minor * minorPerDollarOf("TTD", at) >= from * minorPerDollarOf(currency, at)',
      replace: "minor >= from && currency !== undefined && at !== undefined",
    },
    caughtBy: [SECOND],
  },
  {
    name: "operator-approval-carried-out-twice",
    breaks: "two people approve at the same moment, and the customer is refunded twice",
    change: { file: APPROVAL, find: "sql`for update of approvals`", replace: "sql``" },
    caughtBy: [RACES],
  },
  {
    name: "operator-approval-without-end",
    breaks: "what was asked for last month is approved when nobody remembers why",
    change: { file: APPROVAL, find: "if (row.is_over) throw", replace: "if (row === null) throw" },
    caughtBy: [SECOND],
  },
  {
    name: "operator-approval-of-another-amount",
    breaks: "the second person agrees to 6,000 and another amount is refunded",
    change: {
      file: APPROVE,
      find: "amount?.currency !== row.currency || amount.minor !== row.amount_minor",
      replace: "amount === undefined",
    },
    caughtBy: [RACES],
  },
  {
    name: "operator-approver-role-not-asked",
    breaks: "risk releases money that only finance may release",
    change: { file: APPROVE, find: " || !ctx.may(command.right)", replace: "" },
    caughtBy: [SECOND],
  },
  {
    name: "operator-approved-without-entry",
    breaks: "the audit log shows that somebody agreed, and not what was done",
    change: {
      file: APPROVE,
      find: "if (done.entry !== undefined)",
      replace: "if (done.entry === null)",
    },
    caughtBy: [SECOND],
  },
];

const actions: readonly Mutant[] = [
  {
    name: "operator-reason-not-asked",
    breaks: "an account is frozen and nobody can say why",
    change: {
      file: "src/operator-console/actions/action-routes.ts",
      find: "const why = readReason(sent);",
      replace: 'const why = sent.why?.trim() ?? "";',
    },
    caughtBy: [SECOND],
  },
  {
    name: "operator-entry-without-person",
    breaks: "the audit log has the name that was typed, and not who and from where",
    change: {
      file: "src/modules/operator/approvals/run-for-operator.ts",
      find: "from: { person_id: who.personId, ...who.from } },",
      replace: "from: {} },",
    },
    caughtBy: [SECOND],
  },
  {
    name: "operator-form-acts-twice",
    breaks: "a double click refunds twice",
    change: { file: FORM_KEY, find: "if (written === 0) throw", replace: "if (written < 0) throw" },
    caughtBy: [SECOND, FORMS],
  },
  {
    name: "operator-said-to-anybody",
    breaks: "an address that was shared tells another operator what was said",
    change: { file: FORM_KEY, find: " and person_id = ", replace: " and '' <> " },
    caughtBy: [DISCLOSURE],
  },
  {
    name: "operator-secret-kept",
    breaks: "a link that takes an account over can be read in the database for ever",
    change: {
      file: FORM_KEY,
      find: 'isSecret(report) ? "Done. It was shown once, and is kept nowhere." : report.text',
      replace: "report.text",
    },
    caughtBy: [DISCLOSURE],
  },
  {
    name: "operator-action-of-any-role",
    breaks: "support refunds payments and adds operators",
    change: {
      file: "src/operator-console/actions/run-command.ts",
      find: 'typeof command.right !== "string" || !may(command.right)',
      replace: 'typeof command.right !== "string" || role === undefined',
    },
    caughtBy: [ACCESS],
  },
  {
    name: "audit-export-loses-entries",
    breaks: "entries of one moment are missing from the file that an auditor gets",
    change: {
      file: "src/modules/operator/audit-csv.ts",
      find: "sql`happened_at::text`",
      replace: "sql`date_trunc('milliseconds', happened_at)::text`",
    },
    caughtBy: [AUDIT],
  },
];

const sessions: readonly Mutant[] = [
  {
    name: "operator-page-of-any-role",
    breaks: "support reads the audit log and the bank files",
    change: { file: ROUTE, find: "if (!visitor.may(right))", replace: "if (!visitor.role)" },
    caughtBy: [ACCESS],
  },
  {
    name: "operator-form-of-any-site",
    breaks: "a page that an operator looks at refunds in their name",
    change: {
      file: ROUTE,
      find: 'if (method === "POST") demandOperatorPost',
      replace: 'if (visitor.sessionId === "") demandOperatorPost',
    },
    caughtBy: [FORMS],
  },
  {
    name: "operator-proof-not-asked",
    breaks: "who finds an open laptop adds a passkey of their own",
    change: {
      file: ROUTE,
      find: "if (needsProof && !visitor.isProven)",
      replace: "if (needsProof && !visitor.role)",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "operator-halfway-is-in",
    breaks: "a stolen password opens every page without the second factor",
    change: {
      file: SESSION,
      find: "findSession(db, token, sql`stage = 'signed_in'`)",
      replace: "findSession(db, token, sql`true`)",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "operator-cookie-outlives-sign-out",
    breaks: "a stolen cookie works on after its person signed out",
    change: {
      file: SESSION,
      find: "const IS_ALIVE = sql`ended_at is null and ",
      replace: "const IS_ALIVE = sql`",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "operator-session-outlives-its-time",
    breaks: "a laptop that was left open is signed in the next day",
    change: {
      file: "src/modules/people/session-times.ts",
      find: "const LIFE_HOURS = 12;",
      replace: "const LIFE_HOURS = 24;",
    },
    caughtBy: ["test/operator-console/sign-in.test.ts"],
  },
  {
    name: "operator-removed-signs-in",
    breaks: "somebody who was dismissed signs in again",
    change: {
      file: "src/modules/people/operators/sign-in-operator.ts",
      find: "and removed_at is null",
      replace: "",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "operator-locked-out-by-members",
    breaks: "anybody who knows an operator's e-mail locks them out at the merchants' sign-in",
    change: {
      file: "src/modules/people/operators/sign-in-operator.ts",
      find: "email: `operator ",
      replace: "email: `",
    },
    caughtBy: [GUESSING],
  },
  {
    name: "operator-led-to-another-site",
    breaks: "a link to our sign-in ends on a copy of it that asks for the password again",
    change: {
      file: ROUTE,
      find: "OUR_PATH.test(next) ? next",
      replace: 'next.startsWith("/") ? next',
    },
    caughtBy: [DISCLOSURE],
  },
];

export const operatorConsoleMutants: readonly Mutant[] = [...secondPerson, ...actions, ...sessions];
