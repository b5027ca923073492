/** Bugs in reset links and in what an operator ends or revives. */

import type { Mutant } from "./mutant.ts";

export const operatorMutants: readonly Mutant[] = [
  {
    name: "reset-link-without-end",
    breaks: "a reset link that was found a month later takes the account over",
    change: {
      file: "src/modules/people/reset-link.ts",
      find: "link.expires_at > real_now()\n  and",
      replace: "",
    },
    caughtBy: ["test/api/user/reset.test.ts"],
  },
  {
    name: "reset-link-outlives-its-password",
    breaks: "a reset link works although the password was changed or the credentials ended since",
    change: {
      file: "src/modules/people/reset-link.ts",
      find: "and link.credential_epoch = ",
      replace: "and link.credential_epoch <= ",
    },
    caughtBy: ["test/api/user/reset.test.ts"],
  },
  {
    name: "reset-link-not-asked-again",
    breaks: "of two posts with one reset link both are told that their password is set",
    change: {
      file: "src/modules/people/reset-password.ts",
      find: "if (epoch === undefined || stillGood !== person.personId)",
      replace: "if (epoch === undefined || stillGood === token)",
    },
    caughtBy: ["test/api/user/reset.test.ts"],
  },
  {
    name: "reset-leaves-sign-ins",
    breaks: "a stolen token still works after the owner has set a new password",
    change: {
      file: "src/modules/people/reset-password.ts",
      find: "credentialEpoch: epoch + 1,",
      replace: "credentialEpoch: epoch,",
    },
    caughtBy: ["test/api/user/reset.test.ts"],
  },
  {
    name: "ended-credentials-leave-keys",
    breaks: "an API key goes on working after an operator ended all credentials",
    change: {
      file: "src/modules/auth/end-credentials.ts",
      find: "update api_keys set revoked_at = real_now()",
      replace: "update api_keys set revoked_at = null",
    },
    caughtBy: ["test/operator/credentials.test.ts"],
  },
];
