/** Bugs in second factors and in what they protect. */

import type { Mutant } from "./mutant.ts";

const TOTP = "test/people/totp.test.ts";
const PASSKEYS = "test/people/passkeys.test.ts";
const API = "test/people/api-sign-in.test.ts";

export const secondFactorMutants: readonly Mutant[] = [
  {
    name: "code-taken-twice",
    breaks: "a code that was read over a shoulder signs in a second time",
    change: {
      file: "src/modules/people/totp.ts",
      find: "and confirmed_at is not null and last_step < ",
      replace: "and confirmed_at is not null and -1 < ",
    },
    caughtBy: [TOTP],
  },
  {
    name: "code-of-a-secret-not-confirmed",
    breaks: "a wrong first code sets up an app, and locks its person out",
    change: {
      file: "src/modules/people/totp.ts",
      find: "      if (step === undefined) return false;\n",
      replace: "",
    },
    caughtBy: [TOTP],
  },
  {
    name: "recovery-code-raced",
    breaks: "one recovery code signs in several times, when it comes several times at once",
    change: {
      file: "src/modules/people/recovery-codes.ts",
      find: " and used_at is null`);\n  return used",
      replace: "`);\n  return used",
    },
    caughtBy: ["test/people/recovery-codes.test.ts"],
  },
  {
    name: "challenge-answered-twice",
    breaks: "an answer of a passkey that was recorded is taken again",
    change: {
      file: "src/modules/people/passkey-challenge.ts",
      find: "set challenge = null, challenged_at = null",
      replace: "set challenge = before.challenge",
    },
    caughtBy: [PASSKEYS],
  },
  {
    name: "passkey-without-its-user",
    breaks: "a key left in its socket is a proof",
    change: {
      file: "src/modules/people/passkeys.ts",
      find: "requireUserVerification: true",
      replace: "requireUserVerification: false",
    },
    caughtBy: [PASSKEYS],
  },
  {
    name: "otp-not-asked-for",
    breaks: "a stolen password signs in to the API of an account that asks for codes",
    change: {
      file: "src/modules/auth/grant-tokens.ts",
      find: "needsCode ? found !== undefined : ",
      replace: "needsCode ? true : ",
    },
    caughtBy: [API],
  },
  {
    name: "otp-guessed-from-a-known-address",
    breaks: "codes are guessed without end from an address that signed in before",
    change: {
      file: "src/modules/auth/sign-in-throttle.ts",
      find: "if (hadPassword)",
      replace: "if (hadPassword === undefined)",
    },
    caughtBy: [API],
  },
  {
    name: "own-password-leaves-tokens",
    breaks: "a stolen token still works after its holder changed the password in the console",
    change: {
      file: "src/modules/people/change-own-password.ts",
      find: "credentialEpoch: epoch + 1,",
      replace: "credentialEpoch: epoch,",
    },
    caughtBy: ["test/people/own-profile.test.ts"],
  },
  {
    name: "live-money-without-factor",
    breaks: "an owner's stolen password is enough to withdraw",
    change: {
      file: "src/console/live-money.ts",
      find: "if (!hasSecondFactor(",
      replace: "if (hasSecondFactor(",
    },
    caughtBy: ["test/people/live-money.test.ts"],
  },
];
