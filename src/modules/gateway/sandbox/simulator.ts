/**
 * The simulated acquirer: the adapter of the sandbox, and of live outside production (Decision
 * 0030, Decision 0038). Its journal is written in statements of its own, so what it has done stays
 * done whatever becomes of the calling tx or process.
 *
 * The card number decides what a sale does (`cards.ts`). The outcome is decided and written with
 * the first call of a reference, in one statement; only a challenge is decided later. Lost answers
 * and delays only withhold it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../../infra/context.ts";
import { createBatcher, PATIENCE_MS } from "../../../kit/batch.ts";
import { SECOND_MS } from "../../../kit/clock.ts";
import { bankWords } from "../../../words/bank/bank-words.ts";
import {
  type Challenge,
  ConnectionLost,
  type Decided,
  type Gateway,
  NO_SUCH_SALE,
  type SaleOutcome,
} from "../port.ts";
import { behaviourOf, messageOf } from "./cards.ts";
import { challengeDocument } from "./challenge-page.ts";
import { simulatedRefunds } from "./refunds.ts";
import {
  completeEntry,
  findEntry,
  type NewSale,
  type SaleEntry,
  takeSales,
  voidEntry,
} from "./sale-journal.ts";

const SALES_AT_ONCE_MAX = 64;

export function createSimulator({ db, config }: Pick<Infra, "db" | "config">): Gateway {
  const takeSale = createBatcher({
    sizeMax: SALES_AT_ONCE_MAX,
    patienceMs: PATIENCE_MS,
    run: (sales: readonly NewSale[]) => takeSales(db, config.wrappingKeys, sales),
  });

  return {
    ...simulatedRefunds(db),
    state: () => "up",
    onUp() {},
    async stop() {},

    async sale(sale) {
      const behaviour = behaviourOf(sale.card.number);
      const entry = await takeSale({ sale, behaviour });
      if (entry.is_down) throw new ConnectionLost("the simulator is down");
      if (behaviour.slowSeconds !== undefined) await sleep(behaviour.slowSeconds * SECOND_MS);
      if (entry.outcome === null && entry.challenge_token !== null)
        return challengeOf(entry.challenge_token);
      if (!entry.is_known) throw new ConnectionLost("the simulator's answer was lost");
      return decided(entry);
    },

    async challengeDocument(reference, language = "en") {
      const token = (await findEntry(db, reference))?.challenge_token ?? undefined;
      const acs = `${config.http.paymentsPublicUrl}/sandbox/acs`;
      return token && challengeDocument(bankWords(language), { address: `${acs}/${token}` });
    },

    returnedToken: ({ token }) => token,

    // What the browser posted is ignored.
    async completeChallenge(reference, token) {
      return decided(await completeEntry(db, reference, token));
    },

    async saleOutcome(reference) {
      const entry = await findEntry(db, reference);
      if (entry?.is_down) throw new ConnectionLost("the simulator is down");
      return outcomeOf(entry);
    },

    async voidSale(reference) {
      if (await voidEntry(db, reference)) return { outcome: "voided" };
      return { outcome: "rejected", reason: NO_SUCH_SALE };
    },
  };
}

function challengeOf(token: string): Challenge {
  return { outcome: "challenge", token };
}

/** What the acquirer says of a sale that is in its journal, or is not. */
export function outcomeOf(entry: SaleEntry | undefined): SaleOutcome {
  if (entry === undefined) return { outcome: "never seen" };
  if (entry.is_down) return { outcome: "unknown" };
  if (entry.outcome !== null) return entry.is_known ? decided(entry) : { outcome: "unknown" };
  if (entry.challenge_token === null) return { outcome: "never seen" };
  if (entry.challenge_result !== null) return { outcome: "challenge pending" };
  return challengeOf(entry.challenge_token);
}

export function decided({ outcome, code, avs, cvv }: SaleEntry): Decided {
  if (outcome === null || code === null) throw new Error("the simulator has not decided");
  const checks = { ...(avs === null ? {} : { avs }), ...(cvv === null ? {} : { cvv }) };
  return outcome === "approved"
    ? { outcome, code: "00", message: messageOf("00"), ...checks }
    : { outcome, code, message: messageOf(code), ...checks };
}
