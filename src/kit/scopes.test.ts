/** The scopes are those of Interface §5.7 and no others, and the names of 1.x mean what §9 says. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  areaOf,
  includesScope,
  SCOPE_AREAS,
  SCOPES,
  type Scope,
  scopeNamed,
  scopes,
} from "./scopes.ts";

const INTERFACE: Record<string, string> = {
  accounts: "all create delete retrieve update",
  links: "all create retrieve update",
  transactions: "all retrieve get-fees refund-request",
  "trusted-cards": "all charge-request create delete retrieve verify",
  user: "all create delete retrieve update",
  withdrawals: "all create delete retrieve",
};
const EXPECTED = Object.entries(INTERFACE).flatMap(([area, actions]) =>
  actions.split(" ").map((action) => `svc-${area}-${action}`),
);

test("there are exactly the 28 scopes of the interface, each once", () => {
  assert.deepEqual([...SCOPES].sort(), [...EXPECTED].sort());
  assert.equal(new Set(SCOPES).size, 28);
  assert.deepEqual([...SCOPE_AREAS].sort(), Object.keys(INTERFACE).sort());
});

describe("scopeNamed", () => {
  test("finds every scope under its own name", () => {
    for (const scope of SCOPES) assert.equal(scopeNamed(scope), scope);
  });

  const OLD: readonly [old: string, now: string][] = [
    ["wapi-trans-all", "svc-transactions-all"],
    ["wapi-trans-get-history", "svc-transactions-retrieve"],
    ["wapi-trans-get-status", "svc-transactions-retrieve"],
    ["wapi-trans-refund-request", "svc-transactions-refund-request"],
    ["wapi-trusted-card-all", "svc-trusted-cards-all"],
    ["wapi-trusted-card-charge-request", "svc-trusted-cards-charge-request"],
    ["wapi-trusted-card-verify", "svc-trusted-cards-verify"],
    ["wapi-accounts-all", "svc-accounts-all"],
    ["wapi-accounts-update", "svc-accounts-update"],
  ];
  for (const [old, now] of OLD) test(`${old} is ${now}`, () => assert.equal(scopeNamed(old), now));

  const NONE = [
    ...[
      "",
      " ",
      "svc",
      "svc-",
      "svc-*",
      "svc-user",
      "svc-user-",
      "svc-user-everything",
      "user-all",
    ],
    ...["SVC-USER-ALL", " svc-user-all", "svc-user-all ", "svc-user-all\n", "wapi-user-all"],
    ...["wapi-trans-retrieve", "wapi-withdrawals-all", "svc-trusted-card-all", "svc-trans-all"],
    ...["__proto__", "constructor", "toString", "svc-user-toString"],
  ];
  for (const name of NONE)
    test(`${JSON.stringify(name)} is none`, () => assert.equal(scopeNamed(name), undefined));
});

describe("what a scope includes", () => {
  test("a route takes its own scope or the area's all", () => {
    assert.deepEqual(scopes("user", "create"), ["svc-user-create", "svc-user-all"]);
    assert.deepEqual(scopes("user", "all"), ["svc-user-all"]);
  });

  test("one held scope includes itself and, as an all, its whole area, and nothing else", () => {
    for (const held of SCOPES)
      for (const wanted of SCOPES) {
        const isSameArea = areaOf(held) === areaOf(wanted);
        const expected = held === wanted || (held.endsWith("-all") && isSameArea);
        assert.equal(includesScope(new Set([held]), wanted), expected, `${held} ⊇ ${wanted}`);
      }
  });

  test("holding nothing includes nothing", () => {
    for (const wanted of SCOPES) assert.equal(includesScope(new Set<Scope>(), wanted), false);
  });

  test("a text that is no scope belongs to no area", () => {
    assert.throws(() => areaOf("svc-nothing-all" as Scope), /belongs to no area/);
  });
});
