/**
 * The browser's side of a sale: the Conductor, which does what the card's bank wants, and the
 * bank's own pages under `/bank/`. It ends with a form posted to the merchant, which carries no
 * proof: `spi/payment` goes by what is recorded here.
 */

import { aboutSale, authenticationOf, failure } from "./answers.ts";
import { CHALLENGE_PASSWORD } from "./cards.ts";
import {
  challengePage,
  errorPage,
  FINGERPRINT_FRAME,
  fingerprintPage,
  onwardPage,
} from "./conductor-pages.ts";
import type { Page } from "./fault-kinds.ts";
import type { Journal, Sale } from "./journal.ts";

const TRIES_MAX = 3;
const CURRENCIES: Readonly<Record<string, string>> = {
  "052": "BBD",
  "328": "GYD",
  "388": "JMD",
  "780": "TTD",
  "840": "USD",
  "951": "XCD",
};

export interface Roots {
  /** Of the API, with its slash. */
  readonly root: string;
  readonly bank: string;
}

/** A first visit, a reload, or the return from the fingerprint. */
export function conduct(journal: Journal, form: URLSearchParams, roots: Roots): Page {
  const sale = journal.saleOfToken(form.get("SpiToken") ?? undefined);
  if (sale === undefined) return failed(400, "This payment is not known.");
  if (journal.isExpired(sale)) return failed(400, "This payment has expired.");
  if (sale.isTokenUsed) return failed(400, "This payment has been completed.");
  const { authentication, card } = sale;
  if (authentication.stage === "start" && card.test.fingerprint) {
    authentication.stage = "fingerprint";
    return html(
      fingerprintPage({
        frame: `${roots.bank}fingerprint`,
        action: `${roots.root}spi/Conductor`,
        fields: { SpiToken: sale.token, fingerprinted: "Y" },
      }),
    );
  }
  const isFresh = authentication.stage === "start" || authentication.stage === "fingerprint";
  if (isFresh) authentication.stage = card.test.challenge ? "challenge" : "ended";
  if (authentication.stage === "challenge")
    return html(onwardPage(`${roots.bank}challenge`, { bankId: authentication.bankId }));
  return postBack(sale);
}

export function fingerprint(): Page {
  return html(FINGERPRINT_FRAME);
}

/** The bank's page: without an answer it asks, with one it judges. */
export function challenge(journal: Journal, form: URLSearchParams, roots: Roots): Page {
  const sale = journal.saleOfBank(form.get("bankId") ?? undefined);
  if (sale === undefined) return failed(400, "This payment is not known.");
  if (journal.isExpired(sale)) return failed(400, "This payment has expired.");
  const { authentication } = sale;
  const choice = form.get("choice");
  if (authentication.stage === "ended") return postBack(sale);
  if (authentication.stage !== "challenge") return failed(400, "There is nothing to confirm yet.");
  if (choice === "cancel") return end(sale, "N");
  if (choice === null) return question(sale, roots, undefined);
  if (form.get("password") === CHALLENGE_PASSWORD) return end(sale, sale.card.test.status);
  authentication.wrongCount += 1;
  if (authentication.wrongCount >= TRIES_MAX) return end(sale, "N");
  return question(sale, roots, TRIES_MAX - authentication.wrongCount);
}

/** The form fields that the browser posts to the merchant. */
function postBackFields(sale: Sale): { Response: string; [name: string]: string } {
  const isNone = sale.authentication.status === "none";
  const response = {
    ...failure(aboutSale(sale), isNone ? "3D1" : "3D0"),
    CardBrand: sale.card.brand,
    ResponseMessage: isNone ? "3DS not supported" : "3DS complete",
    RiskManagement: { ThreeDSecure: authenticationOf(sale) },
    SpiToken: sale.token,
  };
  return {
    Response: JSON.stringify(response),
    TransactionIdentifier: sale.identifier,
    SpiToken: sale.token,
  };
}

function postBack(sale: Sale): Page {
  if (sale.returnUrl === undefined)
    return failed(200, "The payment page did not say where to go from here.");
  return html(onwardPage(sale.returnUrl, postBackFields(sale)));
}

function end(sale: Sale, status: Sale["authentication"]["status"]): Page {
  sale.authentication.stage = "ended";
  sale.authentication.status = status;
  return postBack(sale);
}

function question(sale: Sale, roots: Roots, triesLeft: number | undefined): Page {
  const currency = CURRENCIES[sale.currencyCode] ?? sale.currencyCode;
  return html(
    challengePage({
      action: `${roots.bank}challenge`,
      bankId: sale.authentication.bankId,
      amount: sale.isAmountSecret
        ? undefined
        : `${(sale.amountMinor / 100).toFixed(2)} ${currency}`,
      card: `${sale.card.brand} ending in ${sale.card.suffix}`,
      triesLeft,
    }),
  );
}

function failed(status: number, sentence: string): Page {
  return html(errorPage("This did not work", sentence), status);
}

function html(body: string, status = 200): Page {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}
