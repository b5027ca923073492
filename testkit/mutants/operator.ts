/** Bugs in reset links and in what an operator ends or revives. */

import type { Mutant } from "./mutant.ts";

export const operatorMutants: readonly Mutant[] = [
  {
    name: "reset-link-without-end",
    breaks: "a reset link that was found a month later takes the account over",
    change: {
      file: "src/modules/people/reset-link.ts",
      find: "link.expires_at > real_now() and ",
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
  {
    name: "withdrawal-failed-though-a-bank-knows",
    breaks: "money is given back that a bank was told to pay, without anybody's word",
    change: {
      file: "src/modules/operator/withdrawals/fail-withdrawal.ts",
      find: "mayBePaid: ({ payout_count }) => payout_count > 0,",
      replace: "mayBePaid: ({ payout_count }) => payout_count < 0,",
    },
    caughtBy: ["test/operator/withdrawals.test.ts"],
  },
  {
    name: "gateway-routed-to-nobody",
    breaks: "a word typed wrong refuses every live payment of a country",
    change: {
      file: "src/modules/operator/gateway/route-gateway.ts",
      find: "if (config.liveGateway !== gateway)",
      replace: "if (config.liveGateway === undefined)",
    },
    caughtBy: ["test/operator/gateway-routes.test.ts"],
  },
  {
    name: "operator-password-link-without-limit",
    breaks: "one machine keeps every process busy with hashing passwords",
    change: {
      file: "src/operator-console/signing-in/password-routes.ts",
      find: '    limit: { name: "password", per: "address" },\n',
      replace: "",
    },
    caughtBy: ["test/api/http/page-limits.test.ts"],
  },
  {
    name: "forgotten-passwords-without-limit",
    breaks: "a mailbox is filled with reset links from one address",
    change: {
      file: "src/console/signing-in/sign-in-routes.ts",
      find: '  limit: { name: "password", per: "address" },\n',
      replace: "",
    },
    caughtBy: ["test/api/http/page-limits.test.ts"],
  },
];
