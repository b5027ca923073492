/** Sales for the tests of the simulated acquirer, and what its journal says of them. */

import { randomUUID } from "node:crypto";
import { sql } from "../../src/infra/db/query.ts";
import { money } from "../../src/kit/money.ts";
import type { Card, Gateway, Sale } from "../../src/modules/gateway/port.ts";
import type { TestService } from "../../testkit/service.ts";

export const CVV = "739";

export function saleWith(number: string, more: Partial<Sale> = {}): Sale {
  const card: Card = {
    number,
    expiryMonth: 12,
    expiryYear: 2039,
    cvv: CVV,
    holder: "Ann Baptiste",
  };
  return {
    reference: randomUUID(),
    transactionId: "SB-TT-00000000000000000000000000",
    amount: money("TTD", 10520n),
    card,
    billing: { country: "TT" },
    attemptNumber: 1,
    isStoredCard: false,
    email: "ann@example.com",
    isAmountSecret: false,
    wantsAvs: false,
    challengeReturnUrl: "http://127.0.0.1:3000/checkout/a-secret-token/challenge",
    ...more,
  };
}

export function simulatorOf({ ctx }: TestService): Gateway {
  const { sandbox } = ctx.gateways;
  if (sandbox === undefined) throw new Error("the sandbox has no gateway");
  return sandbox;
}

interface JournalEntry {
  readonly call_count: number;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly challenge_result: string | null;
  readonly is_void: boolean;
}

export async function journalOf({ ctx }: TestService, reference: string): Promise<JournalEntry[]> {
  return ctx.db.rows<JournalEntry>(sql`
    select call_count, outcome, code, challenge_result, voided_at is not null as is_void
    from simulator_sales where reference = ${reference}`);
}
