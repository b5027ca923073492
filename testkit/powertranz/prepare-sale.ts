/**
 * `spi/sale`: checks a sale, keeps it, and hands out the document for the browser with the token
 * that completes it. No money moves. A direct `sale` is prepared the same way and charged at once.
 */

import { randomUUID } from "node:crypto";
import { type About, aboutSale, type Body, failure, TYPES } from "./answers.ts";
import { brandOf, cardOf } from "./cards.ts";
import { chargeSale } from "./charge-sale.ts";
import { redirectDocument } from "./conductor-pages.ts";
import { type Fields, maskNumber, read, readText } from "./fields.ts";
import { type Journal, type Merchant, newToken, type PreparedCard, type Sale } from "./journal.ts";
import type { Problem } from "./problems.ts";
import { amountMinorOf, enablementProblem, saleProblems } from "./validate.ts";

const AVS_BY_POSTAL_CODE: Readonly<Record<string, string>> = {
  "10001": "M",
  "10002": "A",
  "10003": "Z",
  "10004": "N",
  "10005": "G",
  "10006": "U",
};

export interface Caller {
  readonly merchant: Merchant;
  /** Root of the API as the browser reaches it. */
  readonly root: string;
}

export function prepareSale(journal: Journal, body: Fields, caller: Caller): Body {
  const sale = takeSale(journal, body, caller);
  if ("refusal" in sale) return sale.refusal;
  return {
    ...failure(aboutSale(sale), "SP4"),
    ResponseMessage: "SPI Preprocessing complete",
    RedirectData: redirectDocument({ root: caller.root, token: sale.token }),
    SpiToken: sale.token,
  };
}

/** Without 3-D Secure; the merchant's own 3-D Secure (FPI) is not served. */
export function sellDirectly(journal: Journal, body: Fields, caller: Caller): Body {
  if (read(body, "ThreeDSecure") === true)
    return failure(aboutRequest(body), "3D3", [{ code: "543", message: "3DS2 notify error" }]);
  const sale = takeSale(journal, body, caller);
  return "refusal" in sale ? sale.refusal : chargeSale(journal, sale);
}

export function aboutRequest(body: Fields, type: number = TYPES.sale): About {
  const amount = read(body, "TotalAmount");
  return {
    type,
    identifier: readText(body, "TransactionIdentifier"),
    amount: typeof amount === "number" ? amount : undefined,
    currencyCode: readText(body, "CurrencyCode"),
    orderIdentifier: readText(body, "OrderIdentifier"),
  };
}

function takeSale(journal: Journal, body: Fields, caller: Caller): Sale | { refusal: Body } {
  const refuse = (iso: string, problems: readonly Problem[]) => ({
    refusal: failure(aboutRequest(body), iso, problems),
  });
  const problems = saleProblems(body, journal);
  if (problems.length > 0) return refuse("97", problems);
  const disabled = enablementProblem(body, journal, caller.merchant);
  if (disabled !== undefined) return refuse(disabled.iso, [disabled.problem]);
  const identifier = readText(body, "TransactionIdentifier") ?? "";
  if (journal.orderOf(identifier) !== undefined)
    return refuse("12", [{ code: "788", message: "Duplicate transaction" }]);
  const sale = saleFrom(body, { identifier, preparedAt: journal.now(), caller });
  journal.add(sale);
  return sale;
}

function saleFrom(
  body: Fields,
  known: { identifier: string; preparedAt: number; caller: Caller },
): Sale {
  const card = cardFrom(body);
  const has3ds = read(body, "ThreeDSecure") === true;
  return {
    identifier: known.identifier,
    merchantId: known.caller.merchant.id,
    orderIdentifier: readText(body, "OrderIdentifier") ?? "",
    externalIdentifier: readText(body, "ExternalIdentifier"),
    amountMinor: amountMinorOf(body),
    currencyCode: readText(body, "CurrencyCode") ?? "",
    card,
    returnUrl: readText(body, "ExtendedData.MerchantResponseUrl"),
    isAmountSecret: readText(body, "ExtendedData.ThreeDSecure.MessageCategory") === "02",
    preparedAt: known.preparedAt,
    token: newToken(),
    isTokenUsed: false,
    authentication: {
      stage: has3ds ? "start" : "ended",
      status: has3ds ? card.test.status : "none",
      wrongCount: 0,
      bankId: randomUUID(),
      dsId: randomUUID(),
    },
    chargeCount: 0,
    refunds: [],
  };
}

function cardFrom(body: Fields): PreparedCard {
  const number = readText(body, "Source.CardPan") ?? "";
  const test = cardOf(number);
  const cvv = cvvAnswer(readText(body, "Source.CardCvv"), test.cvv);
  const [, named] =
    /^code ?(.*)$/i.exec(readText(body, "Source.CardholderName")?.trim() ?? "") ?? [];
  return {
    masked: maskNumber(number),
    suffix: number.slice(-4),
    brand: brandOf(number) ?? "Visa",
    expiry: readText(body, "Source.CardExpiration") ?? "",
    test,
    code: named ?? (test.code === "00" && cvv === "N" ? "82" : test.code),
    cvv,
    avs: read(body, "AddressVerification") === true ? avsAnswer(body) : undefined,
  };
}

function cvvAnswer(cvv: string | undefined, byCard: string | undefined): string | undefined {
  if (cvv === undefined) return undefined;
  if (cvv === "999" || cvv === "9999") return "N";
  if (cvv === "998" || cvv === "9998") return "P";
  return byCard ?? "M";
}

function avsAnswer(body: Fields): string {
  const postalCode = readText(body, "BillingAddress.PostalCode");
  const line = readText(body, "BillingAddress.Line1");
  return AVS_BY_POSTAL_CODE[postalCode ?? ""] ?? ((postalCode ?? line) ? "M" : "U");
}
