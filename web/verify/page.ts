/**
 * The script of the verifier's page: reads the form, verifies, shows the explanation. It sends no
 * request, which the page's policy enforces, and stores nothing.
 */

import { explainRedirect } from "../../sdk/src/verify/explain-redirect.ts";
import { explainRequest } from "../../sdk/src/verify/explain-request.ts";
import { explainWebhook } from "../../sdk/src/verify/explain-webhook.ts";
import type { Explanation } from "../../sdk/src/verify/explanation.ts";
import type { OtherKeys } from "../../sdk/src/verify/key-guesses.ts";
import { parseHeaders } from "../../sdk/src/verify/webhook-headers.ts";
import { showExplanation, showTrouble } from "./show-explanation.ts";
import { startTabs } from "./tabs.ts";

type Fields = Readonly<Record<string, string>>;

const result = element("result");

startTabs();
answer("redirect", verifyRedirectFields);
answer("webhook", verifyWebhookFields);
answer("request", verifyRequestFields);

element("show-keys").addEventListener("change", ({ target }) => {
  document.body.classList.toggle("shown", (target as HTMLInputElement).checked);
});
// A page in the browser's back/forward cache must not hold a key.
addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll("form")) form.reset();
  result.hidden = true;
  result.replaceChildren();
});

function answer(id: string, explain: (fields: Fields) => Promise<Explanation>): void {
  const form = element(id) as HTMLFormElement;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    result.setAttribute("aria-busy", "true");
    try {
      showExplanation(result, await explain(fieldsOf(form)));
    } catch (error) {
      showTrouble(result, error);
    }
    result.removeAttribute("aria-busy");
    result.focus();
  });
}

/** The fields that are not empty. */
function fieldsOf(form: HTMLFormElement): Fields {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

async function verifyRedirectFields(fields: Fields): Promise<Explanation> {
  const { url = "", signingSecret, hashKey, requestedTotal } = fields;
  return explainRedirect(url, {
    ...(signingSecret && { signingSecret }),
    ...(hashKey && { hashKey }),
    ...(requestedTotal && { requestedTotal }),
    others: otherKeys(fields),
    own: {
      ...(fields.ownSignature && { signature: fields.ownSignature }),
      ...(fields.ownHash && { hash: fields.ownHash }),
      ...(fields.ownText && { text: fields.ownText }),
    },
  });
}

function otherKeys({ otherSecret, otherEnvironment }: Fields): OtherKeys[] {
  if (otherSecret === undefined) return [];
  const environment = otherEnvironment as "live" | "sandbox" | undefined;
  const name = environment ?? "the other account";
  return [{ name, signingSecret: otherSecret, ...(environment && { environment }) }];
}

async function verifyRequestFields(fields: Fields): Promise<Explanation> {
  const { body = "", signingSecret = "", signature, hashKey, ownText } = fields;
  return explainRequest(body, {
    signingSecret,
    ...(signature && { signature }),
    ...(hashKey && { hashKey }),
    others: otherKeys(fields),
    own: { ...(ownText && { text: ownText }) },
  });
}

async function verifyWebhookFields(fields: Fields): Promise<Explanation> {
  const { body = "", headers = "", secret = "", otherSecret, at } = fields;
  const came = at === undefined ? undefined : new Date(at);
  if (came !== undefined && Number.isNaN(came.getTime()))
    throw new TypeError("When it came is a time such as 2026-11-15T14:03:07Z.");
  // Forms turn every line end into CRLF; our bodies have none, and the verifier mentions any.
  return explainWebhook(body.replaceAll("\r\n", "\n"), parseHeaders(headers), secret, {
    ...(came && { now: came }),
    ...(otherSecret && { others: [{ name: "the other endpoint", secret: otherSecret }] }),
    own: {
      ...(fields.ownSignature && { signature: fields.ownSignature }),
      ...(fields.ownText && { text: fields.ownText }),
    },
  });
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}
