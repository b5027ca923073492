/**
 * A customer submits a card: the attempt is written and committed, then the sale is sent with no tx
 * open, then its answer is taken (Interface §3.2, Decision 0040).
 *
 * A form counts once. It says how many cards had been tried when it was shown; a second click, a
 * second tab, a page from the history and a form that is sent again because its answer was lost say
 * a number that has passed, and change nothing (Decision 0096). A card that was typed lives in this
 * call alone.
 */

import { randomUUID } from "node:crypto";
import { Unavailable } from "../../../kit/errors.ts";
import type { Language } from "../../../kit/vocabulary.ts";
import { checkoutWords } from "../../../words/checkout/checkout-words.ts";
import type { Billing } from "../../gateway/port.ts";
import { readBilling } from "../form/billing-fields.ts";
import type { CardRules, Problem } from "../form/card-fields.ts";
import { readEmail } from "../form/email-field.ts";
import type { FormValues } from "../form/form-values.ts";
import { sell } from "./ask-gateway.ts";
import type { AttemptRow } from "./attempt.ts";
import { countTry, settleTry } from "./card-testing.ts";
import type { CheckoutContext, SubmittedCard } from "./context.ts";
import type { SessionView } from "./session.ts";
import { endedSession, takeAnswer } from "./take-answers.ts";

export interface Submission {
  readonly session: SessionView;
  /** The address of the page, as the browser knows it. */
  readonly pageUrl: string;
  readonly form: FormValues;
  /** Of the page: in it the customer reads what is wrong with the form, and later the receipt. */
  readonly language: Language;
  /** How many cards had been tried when the form was shown. */
  readonly seenAttempts: number;
  /** The customer's. */
  readonly address: string;
}

export type Submitted =
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  | { readonly kind: "limited"; readonly retryAfterSeconds: number }
  /** The session says what came of it; `isOver`: it is known to have ended. */
  | { readonly kind: "taken"; readonly isOver: boolean };

interface ReadForm {
  readonly card: SubmittedCard;
  /** Undefined where the page does not ask. */
  readonly email: string | undefined;
  readonly billing: Billing;
}

export async function submitCard(ctx: CheckoutContext, submission: Submission): Promise<Submitted> {
  const { session, pageUrl, address, seenAttempts } = submission;
  const gateway = ctx.gateways[session.environment];
  if (gateway === undefined) throw new Unavailable({ cause: "no gateway is configured" });
  if (session.step.kind !== "card") return { kind: "taken", isOver: false };
  // An old form, perhaps sent again because its answer was lost: what came of it is the answer.
  if (session.attempts > seenAttempts) return { kind: "taken", isOver: false };
  const read = await readForm(ctx, submission);
  if ("problems" in read) return { kind: "refused", problems: read.problems };
  await ctx.failpoint("submit: card read");
  const tried = { session, address, number: read.card.number };
  const counted = await countTry(ctx, tried);
  if (counted.kind === "limited") return counted;
  let isDeclined = false;
  try {
    const beganAt = performance.now();
    const attempt = await beginAttempt(ctx, submission, read);
    if (attempt === undefined) return { kind: "taken", isOver: false };
    await ctx.failpoint("submit: attempt kept");
    const answer = await sell(ctx, gateway, attempt, beganAt, async () => ({
      reference: attempt.attempt_id,
      transactionId: session.transactionId,
      attemptNumber: attempt.number,
      amount: session.amounts.total,
      isAmountSecret: session.isAmountSecret,
      card: await read.card.open(),
      isStoredCard: session.stored !== undefined,
      email: read.email ?? session.customer.email,
      billing: read.billing,
      wantsAvs: session.isAvs,
      challengeReturnUrl: `${pageUrl}/challenge`,
    }));
    isDeclined = answer.outcome === "declined";
    return { kind: "taken", isOver: endedSession(await takeAnswer(ctx, attempt, answer, gateway)) };
  } finally {
    await settleTry(ctx, tried, counted, isDeclined);
  }
}

/** Whether the gateway behind is the simulator. */
export function takesSandboxCards(
  { liveGateway }: Pick<CheckoutContext["config"], "liveGateway">,
  { environment }: Pick<SessionView, "environment">,
): boolean {
  return environment === "sandbox" || liveGateway === "simulator";
}

function rulesOf(
  { config }: CheckoutContext,
  { session, language }: Pick<Submission, "session" | "language">,
): CardRules {
  const { only, isAvs, at, purpose } = session;
  const words = checkoutWords(language, purpose).fields;
  return { only, isAvs, takesSandboxCards: takesSandboxCards(config, session), at, words };
}

async function readForm(
  ctx: CheckoutContext,
  { session, form, language }: Submission,
): Promise<ReadForm | { problems: readonly Problem[] }> {
  const rules = rulesOf(ctx, { session, language });
  const { words } = rules;
  const card = await ctx.purposes[session.purpose].readCard(ctx, session, form, rules);
  const email = readEmail(form, { ...session, words });
  const billing = readBilling(form, rules);
  if (!("problems" in card) && !("problems" in email) && !("problems" in billing))
    return { card, ...email, ...billing };
  return {
    problems: [card, email, billing].flatMap((read) => ("problems" in read ? read.problems : [])),
  };
}

/** Undefined: this form is not the next one, its time is over, or its card cannot be tried. */
async function beginAttempt(
  { batches, failpoint }: CheckoutContext,
  { session, seenAttempts, language }: Submission,
  { card, email }: ReadForm,
): Promise<AttemptRow | undefined> {
  // A form that names no number is not the next one.
  if (!Number.isInteger(seenAttempts)) return undefined;
  const attemptId = randomUUID();
  const form = { session, seenAttempts, card, email, language };
  return batches.beginAttempt({ attemptId, ...form, failpoint });
}
