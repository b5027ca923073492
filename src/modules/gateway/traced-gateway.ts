/** A gateway whose calls are spans: what was asked, and the word that came back. */

import { type Attributes, inSpan, SpanKind } from "../../kit/trace.ts";
import type { Gateway } from "./port.ts";

export function traced(gateway: Gateway): Gateway {
  return {
    ...gateway,
    sale: (sale) => call("sale", () => gateway.sale(sale)),
    challengeDocument: (...given) =>
      call("challenge document", () => gateway.challengeDocument(...given)),
    completeChallenge: (...given) =>
      call("complete challenge", () => gateway.completeChallenge(...given)),
    saleOutcome: (reference) => call("sale outcome", () => gateway.saleOutcome(reference)),
    voidSale: (reference) => call("void sale", () => gateway.voidSale(reference)),
    refund: (order) => call("refund", () => gateway.refund(order)),
    refundOutcome: (reference) => call("refund outcome", () => gateway.refundOutcome(reference)),
  };
}

type Answer = { readonly outcome: string } | string | undefined;

function call<T extends Answer>(what: string, ask: () => Promise<T>): Promise<T> {
  return inSpan(`gateway ${what}`, { kind: SpanKind.CLIENT }, async (span) => {
    const answer = await ask();
    span?.setAttributes(attributesOf(answer));
    return answer;
  });
}

/** A document is a page of the bank's, and stays out. */
function attributesOf(answer: Answer): Attributes {
  return typeof answer === "object" ? { "windward.gateway.outcome": answer.outcome } : {};
}
