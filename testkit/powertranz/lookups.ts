/**
 * `Transactions/…`: what the gateway remembers. It has no `Approved`; the code of the sale stays
 * as it was after a void. A sale that is only prepared is not found.
 */

import {
  authenticationOf,
  type Body,
  failure,
  messageOf,
  TYPES,
  withoutAbsent,
} from "./answers.ts";
import type { Journal, Merchant, Sale } from "./journal.ts";
import { INVALID_REQUEST } from "./problems.ts";
import { refundedMinor } from "./undo-sale.ts";

/** One row of what can be looked up. */
interface Entry {
  readonly at: number;
  readonly sale: Sale;
  readonly body: Body;
}

/** Undefined: not found. */
export type Found = Body | readonly Body[] | undefined;

export function lookUp(journal: Journal, merchant: Merchant, identifier: string): Found {
  const id = identifier.toLowerCase();
  const order = journal.orderOf(id);
  const entry = visibleEntries(journal, merchant, order === undefined ? [] : [order]).find(
    ({ body }) => String(body.TransactionIdentifier).toLowerCase() === id,
  );
  return entry === undefined
    ? undefined
    : { ...entry.body, OrderSummary: summaryOf(journal, entry.sale) };
}

/** The whole order, by any identifier in it; approved orders only. */
export function searchOrder(journal: Journal, merchant: Merchant, identifier: string): Found {
  const sale = journal.orderOf(identifier);
  if (sale?.decision?.isApproved !== true) return undefined;
  const entries = visibleEntries(journal, merchant, [sale]);
  if (entries.length === 0) return undefined;
  return { ...summaryOf(journal, sale), Transactions: entries.map(({ body }) => body) };
}

export function search(journal: Journal, merchant: Merchant, query: URLSearchParams): Found {
  const wanted = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
  const start = wanted.get("startdatetime");
  const end = wanted.get("enddatetime");
  if ((start === undefined) !== (end === undefined))
    return failure({ type: TYPES.sale }, "97", [INVALID_REQUEST]);
  const isIn = ({ at, sale, body }: Entry) =>
    (start === undefined || at >= timeOf(start)) &&
    (end === undefined || at <= timeOf(end)) &&
    isAsked(wanted.get("orderidentifier"), sale.orderIdentifier) &&
    isAsked(wanted.get("authorizationcode"), sale.decision?.authorizationCode) &&
    isAsked(wanted.get("approved")?.toLowerCase(), String(body.IsoResponseCode === "00"));
  return visibleEntries(journal, merchant, [...journal.sales.values()])
    .filter(isIn)
    .map(({ sale, body }) => ({ ...body, OrderIdentifier: sale.orderIdentifier }));
}

function isAsked(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value;
}

function visibleEntries(journal: Journal, merchant: Merchant, sales: readonly Sale[]): Entry[] {
  const newest = journal.now() - journal.switches.lookupDelaySeconds * 1000;
  return sales
    .filter(({ merchantId }) => merchantId === merchant.id)
    .flatMap((sale) => entriesOf(journal, sale))
    .filter(({ at }) => at <= newest);
}

function entriesOf({ switches }: Journal, sale: Sale): Entry[] {
  const { decision, voided } = sale;
  if (decision === undefined) return [];
  const common = { CurrencyCode: sale.currencyCode, TipAmount: 0, TaxAmount: 0, OtherAmount: 0 };
  const sold = withoutAbsent({
    ...common,
    TransactionIdentifier: sale.identifier,
    TransactionType: TYPES.sale,
    TransactionDateTime: dateTime(decision.at),
    TotalAmount: sale.amountMinor / 100,
    IsoResponseCode: decision.code,
    ResponseMessage: messageOf(decision.code),
    AuthorizationCode: decision.authorizationCode,
    ExternalIdentifier: sale.externalIdentifier,
    AvsResponseCode: sale.card.avs,
    CvvResponseCode: sale.card.cvv,
    RiskManagement: switches.authenticationLookedUp
      ? { ThreeDSecure: authenticationOf(sale) }
      : undefined,
  });
  const undone = (type: number, at: number, rest: Body) => ({
    at,
    sale,
    body: withoutAbsent({
      ...common,
      TransactionType: type,
      TransactionDateTime: dateTime(at),
      OriginalTrxnIdentifier: sale.identifier,
      IsoResponseCode: "00",
      ...rest,
    }),
  });
  const refunds = sale.refunds.map((refund) =>
    undone(TYPES.refund, refund.at, {
      TransactionIdentifier: refund.identifier,
      TotalAmount: refund.amountMinor / 100,
      ExternalIdentifier: refund.externalIdentifier,
    }),
  );
  const voids =
    voided === undefined
      ? []
      : [
          undone(TYPES.void, voided.at, {
            TransactionIdentifier: voided.identifier,
            TotalAmount: sale.amountMinor / 100,
            ExternalIdentifier: voided.external,
          }),
        ];
  return [{ at: decision.at, sale, body: sold }, ...refunds, ...voids];
}

function summaryOf(journal: Journal, sale: Sale): Body {
  const { decision, voided, settledAt } = sale;
  const newest = journal.now() - journal.switches.lookupDelaySeconds * 1000;
  const captured = decision?.isApproved ? sale.amountMinor / 100 : 0;
  return withoutAbsent({
    OrderIdentifier: sale.orderIdentifier,
    OriginalTrxnIdentifier: sale.identifier,
    OriginalTrxnDateTime: dateTime(decision?.at ?? sale.preparedAt),
    CurrencyCode: sale.currencyCode,
    CaptureCount: decision?.isApproved ? 1 : 0,
    TotalCaptureAmount: captured,
    LastCaptureDateTime: decision?.isApproved ? dateTime(decision.at) : undefined,
    CreditCount: sale.refunds.length,
    TotalCreditAmount: refundedMinor(sale) / 100,
    SettledAmount: settledAt === undefined ? 0 : captured,
    VoidDateTime: voided !== undefined && voided.at <= newest ? dateTime(voided.at) : undefined,
  });
}

/** Without a zone. */
function dateTime(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}

function timeOf(text: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}
