/**
 * `/`: what this is, and the ways in (Decision 0114). In the development stage it also has the demo
 * sign-ins and a form that is an ordinary payment request of the demo merchant, under a new order
 * each time.
 */

import {
  DEMO_ACCOUNTS,
  DEMO_MEMBERS,
  DEMO_PASSWORD,
  demoEmailOf,
  MEMBERS_OF,
} from "../demo-world.ts";
import type { Config } from "../infra/config.ts";
import type { Infra } from "../infra/context.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { type Html, html } from "../kit/html.ts";
import { randomBase62 } from "../kit/secrets.ts";
import { SANDBOX_ACCOUNT } from "../modules/checkout/result/payment-keys.ts";
import { hiddenFields, linkButton } from "../parts/form.ts";
import { pageAnswer } from "../parts/page.ts";
import { inHtml } from "../parts/page-answers.ts";
import { siteDocument } from "./frame.ts";
import { PRICING_PATH, WELCOME_PATH } from "./guides.ts";

const TEST_TOTAL = "100.00";
const ORDER_SUFFIX_LENGTH = 10;

const OFFERS: readonly Offer[] = [
  {
    kicker: "For your shop",
    heading: "A payment page of your own",
    text:
      "Your name, logo and colour, four languages, 3-D Secure and saved cards. Signed results " +
      "that your shop can check.",
    href: "/docs/checkout",
  },
  {
    kicker: "Without a shop",
    heading: "A link, a QR code, a button",
    text: "Make one in the console, send it in a message or print it. No code.",
    href: "/docs/links",
  },
  {
    kicker: "For developers",
    heading: "A sandbox that behaves like the real thing",
    text:
      "Test cards for every outcome, webhooks that repeat until you accept, errors that say " +
      "what to do.",
    href: "/docs/start",
  },
  {
    kicker: "For your books",
    heading: "Every cent accounted for",
    text: "A double-entry ledger, statements by day, refunds, disputes and withdrawals.",
    href: "/docs/console",
  },
];

export function homeRoute<Ctx extends Infra>(): Route<Ctx> {
  return publicRoute({
    method: "GET",
    path: "/",
    summary: "What this is, and the ways in",
    isHidden: true,
    answers: { 200: inHtml("The page") },
    async run({ config }: Ctx) {
      // The test order's form leads to the payment page, which may have another origin.
      const payments = new URL(config.http.paymentsPublicUrl).origin;
      return pageAnswer(homeHtml(config), { policy: { "form-action": `'self' ${payments}` } });
    },
  });
}

function homeHtml(config: Config): string {
  const { publicUrl } = config.http;
  return siteDocument({
    title: "Windward: payments for the Caribbean",
    about: "Payments and accounts for merchants in the Caribbean: checkout, webhooks, a ledger.",
    path: "/",
    publicUrl,
    isWide: true,
    main: html`<section class="hero">
<h1>Get paid in the Caribbean</h1>
<p class="lead">Windward takes card payments for merchants in Barbados, Grenada, Guyana, Jamaica
and Trinidad and Tobago, keeps the books, and pays out to your bank.</p>
<p class="buttons">${linkButton({ text: "Sign in", href: "/sign-in", kind: "primary" })}
${linkButton({ text: "Documentation", href: "/docs" })}</p>
<p>New here? <a href="/docs/start">Getting started</a> for developers,
<a href="/docs/links">Sell without code</a> and <a href="${PRICING_PATH}">What it costs</a> for
owners.</p>
<p class="soft">An account is opened by the operator of this service:
<a href="/docs/going-live">how to get one</a>.</p>
</section>
${config.demoWorld && development(config)}
<section class="offers">
${OFFERS.map(offer)}
</section>`,
  });
}

interface Offer {
  readonly kicker: string;
  readonly heading: string;
  readonly text: string;
  readonly href: string;
}

function offer({ kicker, heading, text, href }: Offer): Html {
  return html`<div class="offer"><p class="kicker">${kicker}</p>
<h2><a href="${href}">${heading}</a></h2><p>${text}</p></div>\n`;
}

function development(config: Config): Html {
  const people = [
    ...DEMO_ACCOUNTS.map(({ email, accountNumber, countryCode, accountType, isMainMerchant }) => ({
      email,
      about:
        `${accountNumber}, ${countryCode} ${accountType.toLowerCase()}` +
        (isMainMerchant ? ", main merchant" : ""),
    })),
    ...DEMO_MEMBERS.map((member) => ({
      email: demoEmailOf(member),
      about: `${MEMBERS_OF}, ${member.role}`,
    })),
  ];
  const rows = people.map(
    ({ email, about }) => html`<tr><td><code>${email}</code></td><td>${about}</td></tr>\n`,
  );
  return html`<section class="trial" aria-labelledby="trial">
<div class="trial-pay"><h2 id="trial">This is a development service</h2>
<p>No money moves. Pay a test order of <span class="whole">TTD ${TEST_TOTAL}</span> plus the fee
with card <code class="whole">4111 1111 1111 1111</code>, any later expiry, any three digits and
any name.</p>
${testOrder(config)}
<p class="soft">Mail stays here: <a href="/dev/mail">the mailbox</a>.</p></div>
<div class="trial-people"><h2>Demo sign-ins</h2>
<p>You sell? <a href="/sign-in">Open the console</a> as ${DEMO_ACCOUNTS[0]?.email} and make a
payment link. The password of all is <code>${DEMO_PASSWORD}</code>.</p>
<div class="wide" tabindex="0"><table><caption class="unseen">Demo sign-ins</caption>
<thead><tr><th>E-mail</th><th>Account</th></tr></thead><tbody>${rows}</tbody></table></div></div>
</section>`;
}

/** The same request that a shop's form would post. */
function testOrder({ http }: Config): Html {
  const fields = {
    account_number: SANDBOX_ACCOUNT,
    country_code: "TT",
    currency: "TTD",
    environment: "sandbox",
    fee_structure: "customer_pay",
    method: "credit_card_co",
    order_id: `test-${randomBase62(ORDER_SUFFIX_LENGTH)}`,
    origin: "windward-home",
    response_url: `${http.publicUrl}${WELCOME_PATH}`,
    total: TEST_TOTAL,
    email: "customer@example.com",
    description: "A test order",
  };
  return html`<form method="post" action="${http.paymentsPublicUrl}/plugins/payments/request">
${hiddenFields(fields)}<button class="button primary">Pay a test order</button></form>`;
}
