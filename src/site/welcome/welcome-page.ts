/**
 * `/docs/welcome` (Decision 0106): where the guide ends, and a `response_url` for anybody who has
 * no shop yet. It greets somebody who was paid, says whether the result verifies, and explains its
 * parameters.
 */

import type { Infra } from "../../infra/context.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { notice } from "../../parts/notice.ts";
import { pageAnswer } from "../../parts/page.ts";
import { inHtml } from "../../parts/page-answers.ts";
import { siteDocument } from "../frame.ts";
import { WELCOME_PATH } from "../guides.ts";
import { checkResult, type ResultCheck } from "./check-result.ts";
import { EXAMPLE, parameterTable } from "./parameters.ts";

export function welcomeRoute<Ctx extends Infra>(): Route<Ctx> {
  return publicRoute({
    method: "GET",
    path: WELCOME_PATH,
    summary: "Greets a browser that brings a result",
    isHidden: true,
    answers: { 200: inHtml("The page") },
    async run(ctx: Ctx, call) {
      const { searchParams } = new URL(call.url);
      const check = await checkResult(ctx, searchParams);
      return pageAnswer(welcomeHtml(check, searchParams, ctx.config.http.publicUrl));
    },
  });
}

function welcomeHtml(check: ResultCheck, query: URLSearchParams, publicUrl: string): string {
  const heading = headingOf(check);
  const amount = check.kind === "verified" ? amountOf(check.result) : "";
  const came = check.kind !== "nothing";
  return siteDocument({
    title: `${heading} · Windward`,
    about: "What a shop gets when a customer has paid, explained.",
    path: WELCOME_PATH,
    publicUrl,
    main: html`<h1>${unbroken(heading, amount)}</h1>
${explain(check, query)}
<h2 id="parameters">${came ? "What came with the browser" : "What would come here"}</h2>
${parameterTable(came ? query : EXAMPLE, "Parameters of the result")}
<p>Anybody can type an address, so a shop believes none of this before it has checked the
<code>signature</code> and compared the <code>transaction_id</code> with its own:
<a href="/docs/start#3-check-the-result">how to check it</a>.</p>
<h2 id="next">What to do next</h2>
<ul>
<li><a href="/docs/webhooks">Receive webhooks</a>: the customer may close the browser before it
comes to you.</li>
<li><a href="/docs/start#5-refund">Refund part of it</a>, or look at it in
<a href="/console/payments">the console</a>.</li>
<li><a href="/docs/testing">Try what can go wrong</a>: a declined card, a lost answer, a result
that was changed.</li>
<li>No shop, no code? <a href="/console/links/new">Make a payment link</a> and send it to a
customer: <a href="/docs/links">how it works</a>.</li>
</ul>`,
  });
}

/** An amount never breaks between currency and number; copied, it has an ordinary space. */
function unbroken(heading: string, amount: string): HtmlValue {
  const [before = "", after] = amount === "" ? [heading] : heading.split(amount);
  return after === undefined ? before : html`${before}<span class="whole">${amount}</span>${after}`;
}

function headingOf(check: ResultCheck): string {
  switch (check.kind) {
    case "nothing":
      return "Nobody has paid yet";
    case "live":
      return "This is a live result";
    case "refused":
      return "The payment was not started";
    case "unknown":
      return "This service does not know that payment";
    case "wrong":
      return "The result does not verify";
    case "verified":
      return verifiedHeading(check.result);
  }
}

function amountOf({ currency = "", total = "" }: Verified): string {
  return `${currency} ${total}`;
}

function verifiedHeading(result: Verified): string {
  const { status } = result;
  if (status === "success")
    return `You were just paid ${amountOf(result)}, and the result verifies`;
  const ended = status === "failed" ? "failed" : "ended in an error";
  return `The payment ${ended}, and the result verifies`;
}

type Verified = Extract<ResultCheck, { kind: "verified" }>["result"];

function explain(check: ResultCheck, query: URLSearchParams): HtmlValue {
  switch (check.kind) {
    case "nothing":
      return html`<p>Use the address of this page as the <code>response_url</code> of a payment
request. When the customer has paid, the browser comes here with the result, and this page checks
it as your shop would. <a href="/docs/start">Getting started</a> leads here.</p>`;
    case "live":
      return notice({
        tone: "warn",
        heading: "Results of live payments are not checked here",
        text: html`Your own shop has to check them, with your live keys. If it cannot,
<a href="/verify">the verifier</a> says why; it runs in your browser, and your keys stay there.`,
      });
    case "refused":
      return notice({
        tone: "bad",
        heading: query.get("message")?.slice(0, 300) ?? "The request was refused.",
        text: html`No page was opened and nothing was charged. Mend the request and send it again;
<a href="/docs/errors">the errors</a> say what each means.`,
      });
    case "unknown":
      return notice({
        tone: "warn",
        heading: "There is nothing to check it against",
        text: html`No sandbox payment of this service has that <code>transaction_id</code>. Is it of
another service?`,
      });
    case "wrong":
      return explainWrong(check);
    case "verified":
      return explainVerified(check.result);
  }
}

function explainVerified({ status }: Verified): Html {
  if (status === "success")
    return html`<p>That was the sandbox, so no money moved. The rest is real: the payment is in the
ledger, an event was recorded, and the signature below was checked by the same code that the SDK
has.</p>`;
  return html`<p>Nothing was paid. The signature proves that we said so, so your shop can keep the
order open and offer another try.</p>`;
}

function explainWrong({ reason, explanation }: Extract<ResultCheck, { kind: "wrong" }>): Html {
  const mistakes = (explanation?.mistakes ?? []).map(
    ({ says, instead }) => html`<li>${says} <strong>${instead}</strong></li>\n`,
  );
  return html`${notice({ tone: "bad", heading: reason, text: "Do not deliver for such a result." })}
${mistakes.length > 0 && html`<h2 id="why">Why, and what to do</h2><ul>${mistakes}</ul>`}
<p>More about it: <a href="/docs/verify">Why does it not verify?</a></p>`;
}
