/**
 * What the gateway checks before it does anything: the form of a request, all problems at once;
 * then whether the merchant may use the currency and the brand.
 */

import { brandOf } from "./cards.ts";
import { type Fields, read, readText } from "./fields.ts";
import type { Journal, Merchant } from "./journal.ts";
import { invalid, invalid3ds, missing, type Problem } from "./problems.ts";
import { addressProblems } from "./validate-address.ts";

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const URL_LENGTH_MAX = 255;
const ORDER_LENGTH_MAX = 255;
const AMOUNT_MAX = 999_999_999_999;

export function saleProblems(body: Fields, { switches }: Journal): Problem[] {
  const has3ds = read(body, "ThreeDSecure") === true;
  return [
    ...identifierProblems(body),
    ...amountProblems(body, "must"),
    ...demand(body, "OrderIdentifier", (text) => text.length <= ORDER_LENGTH_MAX),
    ...booleanProblems(body),
    ...cardProblems(body),
    ...addressProblems(body, has3ds),
    ...(has3ds ? threeDsProblems(body, switches.contactRequired) : []),
    ...returnUrlProblems(body, has3ds),
  ];
}

export function identifierProblems(body: Fields): Problem[] {
  return demand(body, "TransactionIdentifier", (text) => GUID.test(text));
}

export function amountProblems(body: Fields, currency: "must" | "may"): Problem[] {
  const amount = read(body, "TotalAmount");
  const code = read(body, "CurrencyCode");
  const isGood =
    typeof amount === "number" &&
    amount > 0 &&
    amount <= AMOUNT_MAX &&
    Math.round(amount * 100) / 100 === amount;
  return [
    ...(amount === undefined ? [missing("TotalAmount")] : isGood ? [] : [invalid("TotalAmount")]),
    ...(code === undefined && currency === "may"
      ? []
      : demand(body, "CurrencyCode", (text) => /^\d{3}$/.test(text))),
  ];
}

export function amountMinorOf(body: Fields): number {
  return Math.round(Number(read(body, "TotalAmount")) * 100);
}

/** With its iso code: what the merchant is not enabled for. */
export function enablementProblem(
  body: Fields,
  { switches }: Journal,
  merchant: Merchant,
): { iso: string; problem: Problem } | undefined {
  if (read(body, "FraudCheck") === true)
    return { iso: "FC3", problem: { code: "1011", message: "Invalid Provider" } };
  const currency = readText(body, "CurrencyCode") ?? "";
  const isOwn = merchant.currencies?.includes(currency) ?? true;
  if (!isOwn || !switches.currencies.includes(currency))
    return { iso: "12", problem: { code: "315" } };
  const brand = brandOf(readText(body, "Source.CardPan") ?? "");
  if (brand === undefined || !switches.brands.includes(brand))
    return { iso: "57", problem: { code: "316" } };
  return undefined;
}

function demand(body: Fields, path: string, isGood: (text: string) => boolean): Problem[] {
  const name = path.split(".").at(-1) ?? path;
  const value = read(body, path);
  if (value === undefined || value === "") return [missing(name)];
  return typeof value === "string" && isGood(value) ? [] : [invalid(name)];
}

function cardProblems(body: Fields): Problem[] {
  if (!(read(body, "Source") instanceof Map)) return [missing("Source")];
  const cvv = read(body, "Source.CardCvv");
  const isCvvGood = cvv === undefined || (typeof cvv === "string" && /^\d{3,4}$/.test(cvv));
  const name = read(body, "Source.CardholderName");
  const isNameGood =
    name === undefined || (typeof name === "string" && name.length >= 2 && name.length <= 45);
  return [
    ...demand(body, "Source.CardPan", (text) => /^\d{12,19}$/.test(text)),
    ...demand(body, "Source.CardExpiration", (text) => /^\d{2}(0[1-9]|1[0-2])$/.test(text)),
    ...(isCvvGood ? [] : [invalid("CardCvv")]),
    ...(isNameGood ? [] : [invalid("CardholderName")]),
  ];
}

function booleanProblems(body: Fields): Problem[] {
  const names = ["ThreeDSecure", "AddressVerification", "AddressMatch", "CardOnFile", "FraudCheck"];
  return names
    .filter((name) => !["undefined", "boolean"].includes(typeof read(body, name)))
    .map(invalid);
}

function threeDsProblems(body: Fields, isContactRequired: boolean): Problem[] {
  const name = readText(body, "Source.CardholderName");
  const isPlain = name === undefined || /^[A-Za-z0-9 '.-]+$/.test(name);
  const contact =
    readText(body, "BillingAddress.EmailAddress") ?? readText(body, "BillingAddress.PhoneNumber");
  const size = read(body, "ExtendedData.ThreeDSecure.ChallengeWindowSize");
  const isSize = size === undefined || [1, 2, 3, 4, 5].some((one) => one === size);
  return [
    ...(name === undefined || !isPlain ? [invalid3ds("CardholderName")] : []),
    ...(isContactRequired && contact === undefined ? [invalid3ds("EmailAddress")] : []),
    ...(isSize ? [] : [invalid3ds("ChallengeWindowSize")]),
  ];
}

/** In the wrong place it is no problem that anybody is informed of: the browser never returns. */
function returnUrlProblems(body: Fields, has3ds: boolean): Problem[] {
  const nested = read(body, "ExtendedData.ThreeDSecure.MerchantResponseUrl");
  const url = read(body, "ExtendedData.MerchantResponseUrl");
  if (url === undefined)
    return has3ds && nested === undefined ? [missing("MerchantResponseUrl")] : [];
  const isGood =
    typeof url === "string" &&
    url.length <= URL_LENGTH_MAX &&
    /^https?:\/\//.test(url) &&
    URL.canParse(url);
  return isGood ? [] : [invalid("MerchantResponseUrl")];
}
