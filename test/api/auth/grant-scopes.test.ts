/**
 * An account is granted exactly the scopes its kind may hold (Interface §5.5, §5.7); a 403 leaves
 * nothing behind that could be used; names of 1.x are answered with the new ones (§9).
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { decodeJwt } from "jose";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { attempt, grantsOf, refreshTokensOf, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const KINDS = ["person", "merchant", "mainMerchant"] as const;
/** Written out, so that the test does not believe the code it tests. */
const FORBIDDEN = {
  person: /^svc-(accounts|links|trusted-cards)-/,
  merchant: /^svc-accounts-/,
  mainMerchant: /^$/,
};
const OLD_NAMES: readonly [old: string, now: string][] = [
  ["wapi-trans-all", "svc-transactions-all"],
  ["wapi-trans-get-history", "svc-transactions-retrieve"],
  ["wapi-trans-get-status", "svc-transactions-retrieve"],
  ["wapi-trans-refund-request", "svc-transactions-refund-request"],
  ["wapi-trusted-card-all", "svc-trusted-cards-all"],
  ["wapi-trusted-card-charge-request", "svc-trusted-cards-charge-request"],
  ["wapi-trusted-card-create", "svc-trusted-cards-create"],
  ["wapi-trusted-card-delete", "svc-trusted-cards-delete"],
  ["wapi-trusted-card-retrieve", "svc-trusted-cards-retrieve"],
  ["wapi-trusted-card-verify", "svc-trusted-cards-verify"],
  ["wapi-accounts-all", "svc-accounts-all"],
  ["wapi-accounts-create", "svc-accounts-create"],
  ["wapi-accounts-delete", "svc-accounts-delete"],
  ["wapi-accounts-retrieve", "svc-accounts-retrieve"],
  ["wapi-accounts-update", "svc-accounts-update"],
];

let service: TestService;
const people = {} as Record<(typeof KINDS)[number], Person>;
before(async () => {
  service = await startService();
  for (const kind of KINDS) people[kind] = await service.world[kind]();
});
after(() => service.stop());

async function scopesGranted(who: Person, scopes: string): Promise<string[]> {
  const { access_token: token } = await who.signIn(scopes);
  const { data } = (await whoami(service, { token })).body;
  assert.equal(decodeJwt(token).scope, data.scopes.join(" "));
  return data.scopes;
}

for (const kind of KINDS)
  describe(`a ${kind}`, () => {
    const allowed = SCOPES.filter((scope) => !FORBIDDEN[kind].test(scope));
    const forbidden = SCOPES.filter((scope) => FORBIDDEN[kind].test(scope));

    test(`is granted all its ${allowed.length} scopes at once`, async () => {
      assert.deepEqual(await scopesGranted(people[kind], allowed.join(" ")), allowed);
    });

    for (const scope of forbidden)
      test(`is refused ${scope}, and no token of any kind is made`, async () => {
        const who = people[kind];
        const before = [await grantsOf(service, who), await refreshTokensOf(service, who)];
        const signing = mock.method(service.ctx.signingKeys, "current");
        const answers = [
          await attempt(service, who, { scopes: scope }),
          await attempt(service, who, { scopes: `svc-user-all ${scope}` }),
        ];
        signing.mock.restore();
        for (const answer of answers) {
          assert.equal(answer.status, 403);
          assert.equal(answer.text, '{"message":"Forbidden"}');
        }
        assert.equal(signing.mock.callCount(), 0, "nothing was signed, not even for a moment");
        const later = [await grantsOf(service, who), await refreshTokensOf(service, who)];
        assert.deepEqual(later, before);
      });
  });

describe("scope names", () => {
  for (const [old, now] of OLD_NAMES)
    test(`${old} is granted as ${now}`, async () => {
      assert.deepEqual(await scopesGranted(people.mainMerchant, old), [now]);
    });

  test("an old name is refused to whom the new one is refused", async () => {
    const answer = await attempt(service, people.merchant, { scopes: "wapi-accounts-all" });
    assert.equal(answer.status, 403);
  });

  const FOLDED: readonly [asked: string, granted: string[]][] = [
    ["svc-user-all svc-user-all", ["svc-user-all"]],
    ["svc-user-all  svc-user-create", ["svc-user-all", "svc-user-create"]],
    [" svc-user-all ", ["svc-user-all"]],
    ["wapi-trans-get-history wapi-trans-get-status", ["svc-transactions-retrieve"]],
    ["wapi-trans-all svc-transactions-all", ["svc-transactions-all"]],
    ["svc-user-update svc-user-create", ["svc-user-update", "svc-user-create"]],
  ];
  for (const [asked, granted] of FOLDED)
    test(`"${asked}" is granted as ${granted.join(" and ")}`, async () => {
      assert.deepEqual(await scopesGranted(people.merchant, asked), granted);
    });
});
