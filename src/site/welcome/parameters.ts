/** What a result carries, as a table: each parameter that came, and what it is for. */

import { type Html, html } from "../../kit/html.ts";

const VALUE_LENGTH_MAX = 200;

const MEANINGS = new Map(
  Object.entries({
    status: "success, failed or error. Only success means that you were paid.",
    transaction_id: "Of the payment. Compare it with the one your request was answered with.",
    message: "Why, in words. Show your customer words of your own.",
    order_id: "Yours, as you sent it.",
    total:
      "What the customer paid, or would have: the fee is in it where the customer pays the fee. " +
      "Nothing was paid unless the status is success.",
    currency: "Of the total.",
    date: "When it was decided, in UTC.",
    card: "The network and the last four digits.",
    data: "What you sent in data, unchanged.",
    uuid: "Of the card that was saved.",
    reasonDescription: "The message again, for older shops.",
    hash: "An MD5 for older shops; only a success has it. It does not cover the status.",
    signature: "An HMAC over all of the above but hash. Check this one.",
  }),
);

export const EXAMPLE: readonly (readonly [string, string])[] = [
  ["status", "success"],
  ["transaction_id", "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0"],
  ["message", "[1-R00]: Transaction is approved."],
  ["order_id", "order-1"],
  ["total", "105.20"],
  ["currency", "TTD"],
  ["date", "2026-11-18T14:03:00.000Z"],
  ["card", "visa **** 1111"],
  ["data", ""],
  ["hash", "3d34d20260f7433ceee277e9ed9166a3"],
  ["signature", "9a0b…"],
];

export function parameterTable(
  parameters: Iterable<readonly [string, string]>,
  caption: string,
): Html {
  const rows = [...parameters].map(
    ([name, value]) => html`<tr><td><code>${cut(name)}</code></td>
<td>${value === "" ? html`<span class="soft">empty</span>` : html`<code>${cut(value)}</code>`}</td>
<td>${MEANINGS.get(name) ?? "Not ours: it stood in your response_url."}</td></tr>\n`,
  );
  return html`<div class="wide" tabindex="0"><table class="fields"><caption>${caption}</caption>
<thead><tr><th>Parameter</th><th>Value</th><th>What it is</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function cut(text: string): string {
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
