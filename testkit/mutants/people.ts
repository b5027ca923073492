/** Bugs in what a person may do beside the account that they hold. */

import type { Mutant } from "./mutant.ts";

const MADE = "test/people/made-accounts.test.ts";
const CLOSED = "test/people/closed-holders.test.ts";
const AGAIN = "test/people/invited-again.test.ts";

export const peopleMutants: readonly Mutant[] = [
  {
    name: "holder-ends-with-the-account",
    breaks: "a main merchant locks somebody out of companies that are none of its business",
    change: {
      file: "src/modules/people/person.ts",
      find: "and status <> 'frozen' for no key update",
      replace: "and status = 'active' for no key update",
    },
    caughtBy: [CLOSED],
  },
  {
    name: "signed-in-for-a-closed-account",
    breaks: "a sign-in that was compared before a closing acts for the closed account",
    change: {
      file: "src/modules/people/sign-in.ts",
      find: "const [first] = await membershipsOf(tx, person.personId);",
      replace: "const first = membership;",
    },
    caughtBy: [CLOSED],
  },
  {
    name: "session-of-a-closed-account",
    breaks: "a page that is open goes on being told what happens in an account that was closed",
    change: {
      file: "src/modules/accounts/close-account.ts",
      find: " and ended_at is null`);\n  await recordAudit",
      replace: " and ended_at is not null`);\n  await recordAudit",
    },
    caughtBy: [CLOSED],
  },
  {
    name: "invitation-sets-a-password-in-use",
    breaks: "a stolen link of an invitation opens what somebody acts for elsewhere",
    change: {
      file: "src/modules/people/accept-again.ts",
      find: "epoch === undefined || !(await actsForNobody(tx, person))",
      replace: "epoch === undefined",
    },
    caughtBy: [AGAIN],
  },
  {
    name: "invitation-passes-over-a-freeze",
    breaks: "a link of an invitation sets the password of somebody whose account was frozen",
    change: {
      file: "src/modules/people/accept-again.ts",
      find: "and accounts.status <> 'closed' limit 1",
      replace: "and accounts.status = 'active' limit 1",
    },
    caughtBy: [AGAIN],
  },
  {
    name: "maker-passes-for-the-owner",
    breaks: "a main merchant acts for another company with a password that it knows",
    change: {
      file: "src/modules/people/accept-invitation.ts",
      find: "and password_chosen_at is null",
      replace: "and credential_epoch = 1",
    },
    caughtBy: [MADE],
  },
  {
    name: "old-password-proves-the-owner",
    breaks: "who knew the first password sets the next and passes for the owner",
    change: {
      file: "src/modules/people/change-own-password.ts",
      find: "isByMailedLink: false",
      replace: "isByMailedLink: true",
    },
    caughtBy: [MADE],
  },
];
