/** Bugs in what keeps the merchant's console to its people. */

import type { Mutant } from "./mutant.ts";

const ACCESS = "test/console/access.test.ts";
const FORMS = "test/console/attacks/forms.test.ts";
const LINKS = "test/console/attacks/links.test.ts";
const SESSIONS = "test/console/attacks/sessions.test.ts";

export const consoleMutants: readonly Mutant[] = [
  {
    name: "console-role-not-asked",
    breaks: "a viewer withdraws the account's money",
    change: {
      file: "src/console/console-route.ts",
      find: "if (!mayDo(right))",
      replace: "if (role === undefined)",
    },
    caughtBy: [ACCESS],
  },
  {
    name: "console-proof-not-asked",
    breaks: "who finds an open laptop makes a key and changes the bank",
    change: {
      file: "src/console/console-route.ts",
      find: "if (needsProof && !visitor.isProven)",
      replace: "if (needsProof && visitor.role === undefined)",
    },
    caughtBy: [ACCESS],
  },
  {
    name: "console-admin-sets-limits",
    breaks: "an admin lets support give back what the owner forbade",
    change: {
      file: "src/kit/roles.ts",
      find: 'refund_limits: ["owner"]',
      replace: 'refund_limits: ["owner", "admin"]',
    },
    caughtBy: [ACCESS],
  },
  {
    name: "console-endpoint-of-anybody",
    breaks: "a member of another account reads and changes a shop's webhooks",
    change: {
      file: "src/modules/webhooks/endpoint.ts",
      find: "and account_number = ",
      replace: "and account_number <> 'x' || ",
    },
    caughtBy: [ACCESS],
  },
  {
    name: "console-form-of-any-site",
    breaks: "a page of another site, with a token that leaked, acts for the person who looks at it",
    change: {
      file: "src/infra/http/own-form.ts",
      find: "return isSameOrigin(post) && isFormToken(",
      replace: "return isFormToken(",
    },
    caughtBy: [FORMS],
  },
  {
    name: "console-form-of-any-session",
    breaks: "the token of an attacker's own session is good in everybody's",
    change: {
      file: "src/infra/http/own-form.ts",
      find: "form`), boundTo);",
      replace: "form`), boundTo && pages);",
    },
    caughtBy: [FORMS],
  },
  {
    name: "console-form-of-an-old-tab",
    breaks: "a form that was made for the sandbox moves live money",
    change: {
      file: "src/console/console-route.ts",
      find: 'if (right !== "self") demandPageOf(visitor, call);',
      replace: "",
    },
    caughtBy: [FORMS],
  },
  {
    name: "console-cookie-outlives-sign-out",
    breaks: "a stolen cookie works on after its person signed out",
    change: {
      file: "src/modules/people/console-session.ts",
      find: "const IS_ALIVE = sql`ended_at is null and ",
      replace: "const IS_ALIVE = sql`",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "console-cookie-outlives-password",
    breaks: "who stole the session keeps it after the password was changed",
    change: {
      file: "src/modules/people/console-session.ts",
      find: "and console_sessions.credential_epoch = ",
      replace: "and console_sessions.credential_epoch <= ",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "console-two-cookies",
    breaks: "a cookie that a neighbouring site planted is taken for the person's own",
    change: {
      file: "src/console/cookies.ts",
      find: "return values.length === 1 ? values[0] : undefined;",
      replace: "return values[0];",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "console-stream-outlives-membership",
    breaks: "somebody who was removed still sees when the shop is paid",
    change: {
      file: "src/console/live/live-streams.ts",
      find: "if (alive.get(stream.sessionId) !== stream.feed.accountNumber)",
      replace: "if (!alive.has(stream.sessionId))",
    },
    caughtBy: [SESSIONS],
  },
  {
    name: "console-invitation-outlives-sender",
    breaks: "an admin who is removed has let an accomplice in",
    change: {
      file: "src/modules/people/change-member.ts",
      find: "  await withdrawInvitationsBy(tx, { personId, accountNumber });\n",
      replace: "",
    },
    caughtBy: [LINKS],
  },
  {
    name: "console-invitation-raced",
    breaks: "an invitation that was withdrawn or is over still makes a member",
    change: {
      file: "src/modules/people/accept-invitation.ts",
      find: 'if (used === 0) throw new InvitationInvalid("used, withdrawn or over in between");',
      replace: "if (used < 0) throw new InvitationInvalid();",
    },
    caughtBy: [LINKS],
  },
  {
    name: "reset-link-of-an-old-address",
    breaks: "the reader of the mailbox of an old address takes the account over",
    change: {
      file: "src/modules/accounts/change-account.ts",
      find: "    await endResetLink(tx, accountNumber);\n",
      replace: "",
    },
    caughtBy: [LINKS],
  },
  {
    name: "own-email-by-a-narrow-key",
    breaks: "a key that leaked moves the sign-in of its account, and is sent its password link",
    change: {
      file: "src/modules/accounts/change-account.ts",
      find: "if (accountNumber === caller.accountNumber) demandMayMoveOwnEmail(caller);\n    else",
      replace: "if (accountNumber !== caller.accountNumber)",
    },
    caughtBy: ["test/api/accounts/change-email.test.ts"],
  },
  {
    name: "owners-email-moved-by-the-maker",
    breaks: "a main merchant becomes somebody who joined another company, and acts there",
    change: {
      file: "src/modules/accounts/change-account.ts",
      find: "  if (own !== undefined) throw new OwnersEmailStays();\n",
      replace: "",
    },
    caughtBy: ["test/people/made-accounts.test.ts"],
  },
  {
    name: "members-managed-after-removal",
    breaks: "an admin who is removed at that moment still promotes somebody",
    change: {
      file: "src/modules/people/hold-manager.ts",
      find: "if (!isAlive || manager === undefined)",
      replace: "if (manager === undefined)",
    },
    caughtBy: ["test/people/member-races.test.ts"],
  },
  {
    name: "console-guesses-from-one-address",
    breaks: "one machine tries a common password on everybody",
    change: {
      file: "src/modules/people/guesses.ts",
      find: "greatest(by_email, by_address)",
      replace: "greatest(by_email)",
    },
    caughtBy: ["test/console/attacks/guessing.test.ts"],
  },
  {
    name: "console-unknown-person-not-hashed",
    breaks: "the time of a refused sign-in tells who has an account",
    change: {
      file: "src/modules/people/sign-in.ts",
      find: "    ctx.passwords.matches(given.password, person?.password),",
      replace: "    person && ctx.passwords.matches(given.password, person.password),",
    },
    caughtBy: ["test/console/attacks/who-is-here.test.ts"],
  },
  {
    name: "console-led-to-another-site",
    breaks: "a link to our sign-in ends on a copy of it that asks for the password again",
    change: {
      file: "src/console/answers.ts",
      find: "return next !== undefined && OUR_PATH.test(next) ? next",
      replace: 'return next?.startsWith("/") ? next',
    },
    caughtBy: ["test/console/attacks/redirects.test.ts"],
  },
  {
    name: "page-text-not-escaped",
    breaks: "what a customer types as a name runs in the merchant's browser",
    change: {
      file: "src/kit/html.ts",
      find: "return escaped(String(value));",
      replace: "return String(value);",
    },
    caughtBy: ["test/console/attacks/texts.test.ts"],
  },
  {
    name: "page-quote-not-escaped",
    breaks: "what a customer types as a name becomes an attribute with a script",
    change: { file: "src/kit/html.ts", find: '"&quot;"', replace: "'\"'" },
    caughtBy: ["test/console/attacks/texts.test.ts"],
  },
  {
    name: "page-kept-by-caches",
    breaks: "the back button shows the account to the next person at the computer",
    change: {
      file: "src/parts/page.ts",
      find: '"cache-control": "no-store"',
      replace: '"cache-control": "private"',
    },
    caughtBy: ["test/console/attacks/headers.test.ts"],
  },
];
