/**
 * What random requests to live payments need beside the requests: an acquirer that fails now and
 * then, customers who go through their bank's pages, and the comparison with what it truly did.
 */

import { sql } from "../../src/infra/db/query.ts";
import { checkoutToken } from "../../src/modules/checkout/session/checkout-token.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { FAULT_KINDS } from "../../testkit/powertranz/fault-kinds.ts";
import { expectLiveToAddUp } from "../../testkit/powertranz/live-truth.ts";
import { playBrowser } from "../../testkit/powertranz/play-browser.ts";
import { expectNoSecrets } from "../../testkit/powertranz/secrets.ts";
import type { TestService } from "../../testkit/service.ts";

/** Where money is moved, and what leads there. */
const PATHS = /^\/(?:checkout\/|plugins\/|pay\/|payment-links|transactions|trusted-card)/;
const FAULT_RATE = 0.05;
const CUSTOMERS_AT_ONCE = 30;
/** One of so many leaves the bank's page as it is. */
const LEAVES = 8;

/** What it raises when the acquirer fails, which here it does on purpose. */
export const ACQUIRER_ALARMS = [
  "the acquirer needs attention",
  "the acquirer is down",
  "a sale is undecided",
  "a sale was reversed unseen",
  "a refund's answer was lost",
];

export function isLivePath({ path }: { readonly path: string }): boolean {
  return PATHS.test(path);
}

export async function beginFaults({ control }: PowertranzFake, seed: number): Promise<void> {
  // An answer that comes byte by byte takes a minute.
  const kinds = FAULT_KINDS.filter((kind) => kind !== "drip");
  await control.send({
    switches: { centsDecide: false },
    random: { rate: FAULT_RATE, kinds, seed, seconds: 1 },
  });
}

export async function answerBanks({ ctx, request }: TestService): Promise<void> {
  const { config, db } = ctx;
  const asked = await db.rows<{ id: string; key: string }>(sql`
    select transaction_id as id, token_key_id as key
    from checkout_attempts join checkout_sessions using (transaction_id)
    where checkout_attempts.state = 'challenged' and transaction_id not like 'SB-%'
    order by transaction_id desc limit ${CUSTOMERS_AT_ONCE}`);
  const answer = async ({ id, key }: { id: string; key: string }) => {
    const page = `/checkout/${checkoutToken(config, id, key)?.token}/challenge`;
    const { text } = await request(`${page}/document`);
    if (!text.includes('name="SpiToken"')) return;
    // The bank's pages have faults of their own: the customer gives up.
    const played = await playBrowser(text).catch(() => undefined);
    if (played === undefined) return;
    await request(page, { method: "POST", form: played.fields, headers: { origin: "null" } });
  };
  await Promise.all(asked.filter((_, index) => index % LEAVES > 0).map(answer));
}

export async function endFaults({ control }: PowertranzFake): Promise<void> {
  await control.send({ random: null });
}

/** Here and there it is the same, and nothing of a card was kept. */
export async function proveLive(service: TestService, fake: PowertranzFake): Promise<void> {
  await expectLiveToAddUp(service.ctx.db, fake);
  // What was typed by chance looks like a security code.
  await expectNoSecrets(service, fake, []);
}
