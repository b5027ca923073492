/** Bugs in authentication, and in how secrets are compared and kept. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const AUTH = "src/modules/auth";

export const authMutants: readonly Mutant[] = [
  {
    name: "sandbox-key-changes-live",
    breaks: "a key from a build log sends the withdrawals of live to another bank",
    change: {
      file: "src/infra/http/admit/admit-request.ts",
      find: "  demandMayChange(access, caller);\n",
      replace: "",
    },
    caughtBy: ["test/access-sandbox.test.ts"],
  },
  {
    name: "any-token-revokes-any-key",
    breaks: "a token for one task ends the key of another program",
    change: {
      file: `${AUTH}/change-key.ts`,
      find: "key.scopes.filter((scope) => mayHold(caller, scope))",
      replace: "[]",
    },
    caughtBy: ["test/api/auth/keys-lifetime.test.ts"],
  },
  {
    name: "narrow-token-makes-a-key-for-good",
    breaks: "a token for one task leaves a key behind that never ends",
    change: {
      file: `${AUTH}/key-lifetime.ts`,
      find: "  return requested ?? latestExpiry(caller, now) ?? null;",
      replace: "  return requested;",
    },
    caughtBy: ["test/api/auth/keys-lifetime.test.ts"],
  },
  {
    name: "guesses-at-keys-are-free",
    breaks: "somebody tries millions of API keys from one address",
    change: {
      file: "src/infra/http/admit/admit-request.ts",
      find: "if (count?.granted === false)",
      replace: "if (count === null)",
    },
    caughtBy: ["test/api/auth/bad-credentials.test.ts"],
  },
  {
    name: "revoked-sign-in-still-counts",
    breaks: "a stolen token goes on working after its owner has revoked it",
    change: {
      file: `${AUTH}/read-grants.ts`,
      find: "revoked_at is null and status = 'active'",
      replace: "status = 'active'",
    },
    caughtBy: ["test/api/auth/revoke.test.ts"],
  },
  {
    name: "used-refresh-token-of-the-future",
    breaks: "a used refresh token works again for as long as the clock was set back",
    change: {
      file: `${AUTH}/refresh-tokens.ts`,
      find: "Math.abs(family.now.getTime() - family.used_at.getTime())",
      replace: "(family.now.getTime() - family.used_at.getTime())",
    },
    caughtBy: ["test/api/auth/refresh.test.ts"],
  },
  {
    name: "retired-signing-key-signs-on",
    breaks: "a stolen signing key still makes good tokens after it was rotated away",
    change: {
      file: `${AUTH}/read-grants.ts`,
      find: "and (retired_at is null or begins_at <= extract(epoch from retired_at))",
      replace: "",
    },
    caughtBy: ["test/api/auth/jwks.test.ts"],
  },
  {
    name: "dead-sign-in-changes-keys",
    breaks: "a sign-in that was revoked a moment ago lifts the limits of a key",
    change: {
      file: `${AUTH}/change-key.ts`,
      find: '"read");\n  const key = await findKey(tx, { kid, accountNumber },',
      replace: '"read").catch(() => 1);\n  const key = await findKey(tx, { kid, accountNumber },',
    },
    caughtBy: ["test/api/auth/keys-narrow.test.ts"],
  },
  {
    name: "dead-sign-in-revokes-keys",
    breaks: "a thief whose sign-in was ended a moment ago ends the keys of the shop's programs",
    change: {
      file: `${AUTH}/change-key.ts`,
      find: '"read");\n  const key = await findKey(tx, { kid, accountNumber: ',
      replace: '"read").catch(() => 1);\n  const key = await findKey(tx, { kid, accountNumber: ',
    },
    caughtBy: ["test/api/auth/keys-revoke.test.ts"],
  },
  {
    name: "token-known-by-its-end",
    breaks: "a checked token's signature opens the door to other claims in front of it",
    change: {
      file: `${AUTH}/access-token.ts`,
      find: "if (known?.header === header) return known.claims;",
      replace: "if (known !== undefined) return known.claims;",
    },
    caughtBy: ["test/api/auth/access-token.test.ts"],
  },
  {
    name: "replaced-key-ends-by-the-clock",
    breaks: "a key that was replaced at once works again when the clock is set back",
    change: {
      file: `${AUTH}/rotate-key.ts`,
      find: "overlapSeconds === 0 ? old.now : null",
      replace: "null",
    },
    caughtBy: ["test/api/auth/keys-rotate.test.ts"],
  },
  {
    name: "any-secret-opens-a-key",
    breaks: "the public half of a key is enough to use it",
    change: {
      file: `${AUTH}/read-keys.ts`,
      find: "from asked join digests using (place) join api_keys using (kid, key_digest)",
      replace: "from asked join digests using (place) join api_keys using (kid)",
    },
    caughtBy: ["test/api/auth/keys-use.test.ts"],
  },
  {
    name: "key-under-either-prefix",
    breaks: "a test key with its prefix changed acts on live money",
    change: {
      file: `${AUTH}/read-keys.ts`,
      find: "  if (row.environment !== environment) return WRONG_PREFIX;\n",
      replace: "",
    },
    caughtBy: ["test/api/auth/keys-use.test.ts", "test/api/auth/keys-manage.test.ts"],
  },
  {
    name: "key-of-another-tenant",
    breaks: "a merchant reads, changes and revokes the keys of others",
    change: {
      file: `${AUTH}/api-key.ts`,
      find: "where kid = ${kid} and account_number = ${accountNumber}",
      replace: "where kid = ${kid} and ${accountNumber}::text is not null",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "key-from-anywhere",
    breaks: "a key that leaked works from every address",
    change: {
      file: `${AUTH}/read-keys.ts`,
      find: "  if (!row.is_allowed_from) return REFUSED_BY_ADDRESS;\n",
      replace: "",
    },
    caughtBy: ["test/api/auth/keys-cidrs.test.ts"],
  },
  {
    name: "key-remembered-for-all-addresses",
    breaks: "a key that was used from an allowed address works from every other one as well",
    change: {
      file: `${AUTH}/authenticate.ts`,
      find: "byAddress.get(address)",
      replace: "byAddress.values().next().value",
    },
    caughtBy: ["test/api/auth/keys-cidrs.test.ts"],
  },
  {
    name: "stolen-refresh-token-unnoticed",
    breaks: "a refresh token that is used again ends nothing, so the thief stays in",
    change: {
      file: `${AUTH}/refresh-tokens.ts`,
      find: '  await revokeGrant(tx, { grantId: family.grant_id, because: "reuse" });\n',
      replace: "",
    },
    caughtBy: ["test/api/auth/refresh.test.ts"],
  },
  {
    name: "refresh-grace-without-end",
    breaks: "a used refresh token gives the next pair away for ever",
    change: {
      file: `${AUTH}/refresh-tokens.ts`,
      find: "if (secondsApart <= REFRESH_GRACE_SECONDS && !family.successor_used)",
      replace: "if (!family.successor_used)",
    },
    caughtBy: ["test/api/auth/refresh.test.ts"],
  },
  {
    name: "one-guess-at-a-password-too-many",
    breaks: "the throttle of sign-ins never closes",
    change: {
      file: `${AUTH}/sign-in-throttle.ts`,
      find: "limit ${failuresMax}) as recent) >= ${failuresMax}",
      replace: "limit ${failuresMax}) as recent) > ${failuresMax}",
    },
    caughtBy: ["test/api/auth/grant-throttle.test.ts"],
  },
  {
    name: "guesses-at-once-all-judged",
    breaks: "of many guesses that are sent at the same moment the right one is accepted",
    change: {
      file: `${AUTH}/sign-in-throttle.ts`,
      find: "if (wasThrottled || isThrottledNow) return",
      replace: "if (wasThrottled || (isThrottledNow && !matches)) return",
    },
    caughtBy: ["test/api/auth/grant-throttle.test.ts"],
  },
  {
    name: "remembered-after-a-change",
    breaks: "a revoked credential is accepted by every process that has seen it before",
    change: {
      file: `${AUTH}/credential-memory.ts`,
      find: "version === before && isInTime(good, nowSeconds) && isCounted(hit)",
      replace: "isInTime(good, nowSeconds)",
    },
    caughtBy: ["test/api/auth/remembered.test.ts"],
  },
  {
    name: "remembered-past-its-end",
    breaks: "a token that was used before its end is good for ever",
    change: {
      file: `${AUTH}/credential-memory.ts`,
      find: "version === before && isInTime(good, nowSeconds) && isCounted(hit)",
      replace: "version === before",
    },
    caughtBy: ["test/api/auth/remembered.test.ts"],
  },
  {
    name: "change-of-a-key-not-told",
    breaks: "a key goes on working from addresses that its owner has taken away",
    change: { sql: "drop trigger a_changed_key_is_read_anew on api_keys" },
    caughtBy: ["test/api/auth/remembered.test.ts"],
  },
  {
    name: "lost-rights-still-held",
    breaks: "an account that is no main merchant any more goes on managing others",
    change: {
      file: `${AUTH}/credential-reader.ts`,
      find: "row.scopes.filter((scope) => mayHold(holder, scope))",
      replace: "row.scopes.filter((scope) => mayHold({ ...holder, isMainMerchant: true }, scope))",
    },
    caughtBy: ["test/api/auth/lost-rights.test.ts"],
  },
  {
    name: "revoked-while-under-way",
    breaks: "a credential that was revoked while its request waited moves money all the same",
    change: {
      file: `${AUTH}/hold-credential.ts`,
      find: "where grant_id = ${credential.grantId} and revoked_at is null",
      replace: "where grant_id = ${credential.grantId}",
    },
    caughtBy: ["test/api/auth/keys-narrow.test.ts"],
  },
  {
    name: "secret-compared-by-its-beginning",
    breaks: "an empty secret is as good as the right one",
    change: {
      file: "src/kit/secrets.ts",
      find: "return one.length === other.length && timingSafeEqual(one, other);",
      replace: "return one.subarray(0, other.length).equals(other);",
    },
    caughtBy: ["src/kit/secrets.test.ts"],
  },
  {
    name: "scope-not-asked",
    breaks: "a token that may only read moves money",
    change: {
      file: "src/infra/http/admit/admit-request.ts",
      find: "return access.anyScope.some((scope) => caller.scopes.has(scope));",
      replace: "return access.anyScope.some((scope) => caller.scopes.size > 0 || scope);",
    },
    caughtBy: ["test/reach.test.ts"],
  },
];
