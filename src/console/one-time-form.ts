/**
 * Forms that have one effect however often they are sent (Decision 0091): a hidden field holds a
 * random key made with the page, and where the browser goes next is kept under it in the tx of the
 * effect, as with an `Idempotency-Key`.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../infra/db/transaction.ts";
import type { Answer } from "../infra/http/answer.ts";
import {
  fingerprintsOf,
  IdempotencyKeyStillRunning,
  IdempotencyKeyUsedDifferently,
  isReplay,
  runOnce,
  runOnceReady,
} from "../infra/http/serve/idempotency.ts";
import { fixedRefusal } from "../kit/errors.ts";
import { type Html, html } from "../kit/html.ts";
import { UUID } from "../kit/ids.ts";
import { type ButtonKind, button, CSRF_FIELD, postForm } from "../parts/form.ts";
import { redirect } from "./answers.ts";
import type { ConsoleContext } from "./context.ts";
import { NotFromOurPage } from "./form-token.ts";
import type { SentForm } from "./refused.ts";
import type { Visitor } from "./visitor.ts";

/** The name under which a form sends its key. */
const KEY_FIELD = "idempotency_key";

/** How long the second of two clicks waits for the answer to the first. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 100;

/** The same form again, with something else in it. */
class FormWasUsed extends fixedRefusal("console_form_used") {}

/** Without `autocomplete` some browsers put the old key back into a page that is loaded anew. */
export function oneTimeField(): Html {
  return html`<input type="hidden" name="${KEY_FIELD}" value="${randomUUID()}" autocomplete="off">`;
}

/** A button in a form of its own, whose effect there is once. */
export function oneTimeButton(
  { formToken }: Pick<Visitor, "formToken">,
  parts: { readonly action: string; readonly text: string; readonly kind?: ButtonKind },
): Html {
  return postForm({
    action: parts.action,
    csrf: formToken,
    className: "inline-form",
    content: [oneTimeField(), button(parts)],
  });
}

/** Work gives the page to go on to, which is all that is kept. */
export interface OncePerForm {
  /** Runs the effect in one tx, at most once for each page with `oneTimeField`. */
  once(work: (tx: Tx) => Promise<string>): Promise<Answer>;
  /** The same, with what has to be read or counted before the tx. */
  onceReady<T>(
    ready: () => Promise<T>,
    work: (tx: Tx, made: T) => Promise<string>,
  ): Promise<Answer>;
  /** For a page with a secret, which is kept nowhere: sent again, the form leads to `location`. */
  onceShown(work: (tx: Tx) => Promise<OneTimePage>): Promise<Answer>;
}

interface OneTimePage {
  readonly page: Answer;
  readonly location: string;
}

interface PostedForm {
  readonly route: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly texts: SentForm;
}

export function oncePerForm(
  { config, db }: ConsoleContext,
  visitor: Visitor,
  posted: PostedForm,
): OncePerForm {
  const keyed = () => {
    const { [KEY_FIELD]: key = "", [CSRF_FIELD]: _, ...body } = posted.texts;
    if (!UUID.test(key)) throw new NotFromOurPage();
    const { route, params, query } = posted;
    const { tokenPeppers: peppers } = config;
    return {
      accountNumber: visitor.account.accountNumber,
      environment: visitor.environment,
      route,
      key,
      peppers,
      fingerprints: fingerprintsOf(peppers, { path: JSON.stringify(params), query, body }),
    };
  };
  const kept = (location: string): Answer => ({
    status: 303,
    body: location,
    contentType: "text/plain",
  });
  return {
    async once(work) {
      const request = keyed();
      return goOn(() => runOnce(db, request, async (tx) => kept(await work(tx))));
    },
    async onceShown(work) {
      const request = keyed();
      const answer = await settled(() =>
        runOnce(db, request, async (tx) => {
          const { page, location } = await work(tx);
          return { ...page, replayBody: location };
        }),
      );
      return isReplay(answer) ? redirect(String(answer.body)) : answer;
    },
    async onceReady(ready, work) {
      const request = keyed();
      return goOn(() =>
        runOnceReady(db, request, ready, async (tx, made) => kept(await work(tx, made))),
      );
    },
  };
}

async function goOn(run: () => Promise<Answer>): Promise<Answer> {
  const { body } = await settled(run);
  return redirect(String(body));
}

/** A browser shows the answer to the second click only, so that one waits for the first. */
async function settled(run: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof IdempotencyKeyUsedDifferently) throw new FormWasUsed(error);
      const isRunning = error instanceof IdempotencyKeyStillRunning;
      if (!isRunning || performance.now() > deadline) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
