/**
 * The body of a sale, from what the checkout knows. PowerTranz refuses a whole request for one
 * field it does not like, so everything that is not the card is brought into its form, and left out
 * where that cannot be done: an address is complete or absent, texts are plain letters, the
 * customer's e-mail or phone goes along because 3-D Secure asks for one of them.
 */

import { formatMoney, type Money } from "../../../kit/money.ts";
import type { Billing, Sale } from "../port.ts";
import { CURRENCY_NUMBERS, countryNumber } from "./numeric-codes.ts";
import type { PowertranzSettings } from "./settings.ts";

const LINE_MAX = 30;
const CITY_MAX = 25;
const NAME_MAX = 30;
const HOLDER_MAX = 45;
const HOLDER_MIN = 2;
const NO_NAME = "Cardholder";
const POSTCODE_MAX = 10;
const PLAIN_EMAIL = /^(?=.{3,50}$)[!-~]+@[!-~]+$/;
const PHONE_MAX = 25;
/** The frame takes the size it is given. */
const WINDOW_OF_ANY_SIZE = 5;
const NO_PREFERENCE = "01";
const NOT_A_PAYMENT = "02";
const ADDING_A_CARD = "04";

/** How the amount of a card check stays secret, though a challenge would show it. */
export type CardCheckWay = PowertranzSettings["cardCheck"];

/** Whether it is decided by one call, without a challenge. */
export function isDirect({ isAmountSecret }: Sale, way: CardCheckWay): boolean {
  return isAmountSecret && way === "direct";
}

/** Major units: what a double keeps exactly, since an amount has at most twelve digits. */
export function majorUnits(amount: Money): number {
  return Number(formatMoney(amount));
}

export function saleBody(sale: Sale, identifier: string, way: CardCheckWay) {
  const { card, amount, transactionId, attemptNumber } = sale;
  const isChallenged = !isDirect(sale, way);
  return {
    TransactionIdentifier: identifier,
    TotalAmount: majorUnits(amount),
    CurrencyCode: CURRENCY_NUMBERS[amount.currency],
    ThreeDSecure: isChallenged,
    ...(sale.wantsAvs ? { AddressVerification: true } : {}),
    ...(sale.isStoredCard ? { CardOnFile: true } : {}),
    Source: {
      CardPan: card.number,
      CardCvv: card.cvv,
      CardExpiration: expiryOf(sale),
      CardholderName: holderOf(sale),
    },
    // Of one order only one sale may be approved, and each card that is tried is a sale.
    OrderIdentifier: attemptNumber === 1 ? transactionId : `${transactionId}-${attemptNumber}`,
    ExternalIdentifier: sale.reference,
    BillingAddress: billingAddress(sale),
    AddressMatch: false,
    ...(isChallenged ? { ExtendedData: challengeData(sale) } : {}),
  };
}

function challengeData({ isAmountSecret, challengeReturnUrl }: Sale) {
  return {
    ThreeDSecure: {
      ChallengeWindowSize: WINDOW_OF_ANY_SIZE,
      ChallengeIndicator: NO_PREFERENCE,
      ...(isAmountSecret
        ? { MessageCategory: NOT_A_PAYMENT, AuthenticationIndicator: ADDING_A_CARD }
        : {}),
    },
    // Beside ThreeDSecure: inside it the browser is never sent back.
    MerchantResponseUrl: challengeReturnUrl,
  };
}

/** Year and month, two digits each. */
function expiryOf({ card: { expiryYear, expiryMonth } }: Sale): string {
  return String(expiryYear).slice(-2) + String(expiryMonth).padStart(2, "0");
}

/** Demanded by 3-D Secure, so a name of which nothing is left becomes a word. */
function holderOf({ card }: Sale): string {
  const name = plain(card.holder, HOLDER_MAX);
  return name.length < HOLDER_MIN ? NO_NAME : name;
}

function billingAddress(sale: Sale) {
  const { billing, email } = sale;
  const words = holderOf(sale).replaceAll(".", "").split(" ");
  const phone = billing.phone?.replace(/\D/g, "").slice(0, PHONE_MAX);
  return withoutGaps({
    FirstName: (words.slice(0, -1).join(" ") || words.at(-1))?.slice(0, NAME_MAX).trim(),
    LastName: words.at(-1)?.slice(0, NAME_MAX),
    ...addressFields(billing),
    EmailAddress: email !== undefined && PLAIN_EMAIL.test(email) ? email : undefined,
    PhoneNumber: phone,
  });
}

/** Line, city and country go together or not at all. */
function addressFields({ address, city, country, state, zipcode }: Billing) {
  const group = {
    Line1: plain(address ?? "", LINE_MAX),
    City: plain(city ?? "", CITY_MAX),
    CountryCode: countryNumber(country ?? ""),
  };
  if (group.Line1 === "" || group.City === "" || group.CountryCode === undefined) return {};
  return {
    ...group,
    State: state?.split("-").at(-1),
    PostalCode: zipcode?.replace(/[^A-Za-z0-9]/g, "").slice(0, POSTCODE_MAX),
  };
}

/** Letters that are not a plain one with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "L",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  ß: "ss",
  ı: "i",
  "‘": "'",
  "’": "'",
  "–": "-",
  "—": "-",
};

/** Letters, digits, space, `'`, `-` and `.`: an accent alone fails the whole request. */
function plain(text: string, charactersMax: number): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^ -~]/g, (letter) => LETTERS[letter] ?? " ")
    .replace(/[^A-Za-z0-9 '.-]+/g, " ")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, charactersMax)
    .trim();
}

function withoutGaps<T extends object>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""),
  );
}
