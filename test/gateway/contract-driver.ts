/**
 * How the contract suite drives a gateway: which order has which fate, what a customer does at the
 * bank, and what truly happened to the money, by the gateway's own books.
 */

import { randomUUID } from "node:crypto";
import { sql } from "../../src/infra/db/query.ts";
import { money } from "../../src/kit/money.ts";
import { createGateways } from "../../src/modules/gateway/create-gateways.ts";
import type { Decided, Gateway, RefundOrder, Sale } from "../../src/modules/gateway/port.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { playBrowser } from "../../testkit/powertranz/play-browser.ts";
import type { TestService } from "../../testkit/service.ts";
import { journalOf, saleWith } from "./support.ts";

export type Posted = Readonly<Record<string, string>>;

/** What becomes of an order: decided, asked by the bank, or troubled on the wire. */
export type Fate =
  | "approved"
  | "declined"
  | "asked"
  | "answer lost, approved"
  | "answer lost, declined"
  | "order lost"
  | "slow";

export type RefundFate = "refunded" | "rejected" | "answer lost" | "order lost";

export interface Truth {
  readonly charges: number;
  readonly isVoided: boolean;
  readonly refundedMinor: number;
}

export interface Driver {
  readonly name: string;
  readonly gateway: Gateway;
  /** Another process of the service. */
  readonly other: Gateway;
  /** The seconds after which nothing is undecided any more. */
  readonly surelyKnownSeconds: number;
  sale(fate: Fate): Promise<Sale>;
  /** The whole sale, through the challenge where this gateway always asks. */
  pay(sale: Sale): Promise<Decided>;
  /** What the customer's browser brings back from the bank. */
  answerBank(sale: Sale, answer: "passed" | "refused"): Promise<Posted>;
  refund(sale: Sale, fate: RefundFate): Promise<RefundOrder>;
  truth(sale: Sale): Promise<Truth>;
  /** Moves our clock, on which everything about the order goes. */
  wait(seconds: number): Promise<void>;
}

let made = 0;

/** An order of its own: of one order only one sale may be approved. */
const newOrder = (): string => `TT-${String(++made).padStart(6, "0")}${randomUUID().slice(0, 8)}`;

function decidedOnly(answer: { readonly outcome: string }, sale: Sale): asserts answer is Decided {
  if (answer.outcome !== "approved" && answer.outcome !== "declined")
    throw new Error(`sale ${sale.reference} is ${answer.outcome}`);
}

const SIMULATOR_CARDS: Readonly<Record<Fate, string>> = {
  approved: "4111111111111111",
  declined: "4111111111113333",
  asked: "4111111111112010",
  "answer lost, approved": "4111111111112040",
  "answer lost, declined": "4111111111112050",
  "order lost": "4111111111112070",
  slow: "4111111111112030",
};

const SIMULATOR_CENTS: Readonly<Record<RefundFate, bigint>> = {
  refunded: 10n,
  rejected: 98n,
  "answer lost": 94n,
  "order lost": 96n,
};

export function simulatorDriver(service: TestService): Driver {
  const { sandbox } = service.ctx.gateways;
  const other = createGateways(service.ctx).sandbox;
  if (sandbox === undefined || other === undefined) throw new Error("there is no simulator");
  return {
    name: "the simulator",
    gateway: sandbox,
    other,
    surelyKnownSeconds: 20,
    sale: async (fate) => saleWith(SIMULATOR_CARDS[fate], { transactionId: `SB-${newOrder()}` }),
    async pay(sale) {
      const answer = await sandbox.sale(sale);
      decidedOnly(answer, sale);
      return answer;
    },
    async answerBank({ reference }, result) {
      const challenge = await sandbox.saleOutcome(reference);
      const token = challenge.outcome === "challenge" ? challenge.token : "";
      const form = { result };
      await service.request(`/sandbox/acs/${token}`, { method: "POST", form });
      return { token, result };
    },
    refund: async (sale, fate) => ({
      reference: randomUUID(),
      transactionId: sale.transactionId,
      saleReference: sale.reference,
      amount: money("TTD", 1000n + SIMULATOR_CENTS[fate]),
    }),
    async truth({ reference, transactionId }) {
      const sales = await journalOf(service, reference);
      const { minor } = await service.ctx.db.one<{ minor: number }>(sql`
        select coalesce(sum(amount_minor), 0)::int as minor from simulator_refunds
        where transaction_id = ${transactionId} and outcome = 'refunded'`);
      return {
        charges: sales.filter(({ outcome }) => outcome === "approved").length,
        isVoided: sales.some((one) => one.is_void),
        refundedMinor: minor,
      };
    },
    wait: (seconds) => service.clock.advance({ seconds }),
  };
}

const FRICTIONLESS = "4012000000020071";
const ASKED = "4012000000020006";

/** A sale that the fake gives this fate. */
async function saleAt({ control }: PowertranzFake, fate: Fate): Promise<Sale> {
  const isDeclined = fate === "declined" || fate === "answer lost, declined";
  const sale = saleWith(fate === "asked" ? ASKED : FRICTIONLESS, {
    transactionId: newOrder(),
  });
  const { reference: transactionIdentifier } = sale;
  const about = { endpoint: "spi/payment", transactionIdentifier } as const;
  if (fate.startsWith("answer lost")) await control.fault({ kind: "cut-after", ...about });
  if (fate === "order lost") await control.fault({ kind: "cut-before", ...about });
  if (fate === "slow") await control.fault({ kind: "slow-after", seconds: 2, ...about });
  return isDeclined ? { ...sale, card: { ...sale.card, holder: "Code 05" } } : sale;
}

export function powertranzDriver(service: TestService, fake: PowertranzFake): Driver {
  const { live } = service.ctx.gateways;
  const other = createGateways(service.ctx).live;
  if (live === undefined || other === undefined) throw new Error("there is no live gateway");
  const { control } = fake;

  async function answerBank({ reference }: Sale, answer: "passed" | "refused") {
    const html = await live?.challengeDocument(reference);
    if (html === undefined) throw new Error("no challenge is open");
    const played = await playBrowser(html, answer === "refused" ? { cancel: true } : {});
    return played.fields;
  }

  return {
    name: "PowerTranz",
    gateway: live,
    other,
    surelyKnownSeconds: 121,
    sale: (fate) => saleAt(fake, fate),
    async pay(sale) {
      const answer = await live.sale(sale);
      if (answer.outcome !== "challenge") {
        decidedOnly(answer, sale);
        return answer;
      }
      const posted = await answerBank(sale, "passed");
      return live.completeChallenge(sale.reference, answer.token, posted);
    },
    answerBank,
    async refund(sale, fate) {
      const about = { endpoint: "refund", transactionIdentifier: sale.reference } as const;
      if (fate === "answer lost") await control.fault({ kind: "cut-after", ...about });
      if (fate === "order lost") await control.fault({ kind: "cut-before", ...about });
      return {
        reference: randomUUID(),
        transactionId: sale.transactionId,
        saleReference: sale.reference,
        amount: money("TTD", fate === "rejected" ? 1091n : 1010n),
      };
    },
    async truth({ reference }) {
      const all = await control.transactions();
      const own = all.filter((one) => one.externalIdentifier === reference);
      return {
        charges: own.reduce((sum, { chargeCount }) => sum + chargeCount, 0),
        isVoided: own.some((one) => one.isVoided),
        refundedMinor: own
          .flatMap(({ refunds }) => refunds)
          .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      };
    },
    wait: (seconds) => service.clock.advance({ seconds }),
  };
}
