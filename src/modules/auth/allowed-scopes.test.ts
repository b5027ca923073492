/** Which of the 28 scopes each kind of account may hold, cell by cell (Decision 0010). */

import assert from "node:assert/strict";
import { test } from "node:test";
import { SCOPES } from "../../kit/scopes.ts";
import { mayHold, type ScopeHolder } from "./allowed-scopes.ts";

const EVERYBODY = /^svc-(user|withdrawals|transactions)-/;
const BUSINESSES = /^svc-(user|withdrawals|transactions|trusted-cards|links)-/;
const MAIN_MERCHANTS = /^svc-(user|withdrawals|transactions|trusted-cards|links|accounts)-/;

const HOLDERS: readonly [holder: ScopeHolder, allowed: RegExp, count: number][] = [
  [{ accountType: "PERSONAL", isMainMerchant: false }, EVERYBODY, 13],
  // The database forbids this one; were it ever to exist, it would gain nothing.
  [{ accountType: "PERSONAL", isMainMerchant: true }, EVERYBODY, 13],
  [{ accountType: "BUSINESS", isMainMerchant: false }, BUSINESSES, 23],
  [{ accountType: "BUSINESS", isMainMerchant: true }, MAIN_MERCHANTS, 28],
];

for (const [holder, allowed, count] of HOLDERS)
  test(`${holder.accountType}, main merchant ${holder.isMainMerchant}: ${count} scopes`, () => {
    const held = SCOPES.filter((scope) => mayHold(holder, scope));
    assert.equal(held.length, count);
    for (const scope of SCOPES) assert.equal(mayHold(holder, scope), allowed.test(scope), scope);
  });
