/**
 * Says whether the `signature` of a payment request fits its body and, if not, why: rebuilds the
 * text step by step, tries the usual mistakes by computing each, and shows the first byte that
 * differs (Decision 0054).
 *
 * Here the merchant's own program has signed, so what is guessed at is how that program may have
 * come to its digest. It runs where the secret is, in a terminal, a test or a browser, and sends
 * nothing anywhere.
 */

import { type Bytes, toHex, utf8 } from "./bytes.ts";
import { describeSecret, hmac } from "./digests.ts";
import { type Explanation, type Mistake, mistake, NOT_FOUND, summaryOf } from "./explanation.ts";
import { findFit, type Tries } from "./find-fit.ts";
import { firstDifference } from "./first-difference.ts";
import { sortedByName } from "./form-text.ts";
import type { OtherKeys } from "./key-guesses.ts";
import { type RequestBody, readRequestBody } from "./request-body.ts";
import {
  type Digest,
  digestGuesses,
  requestKeyGuesses,
  signatureForms,
} from "./request-digests.ts";
import { fieldGuesses, type Pairs } from "./request-guesses.ts";
import { requestText } from "./request-text.ts";
import { ORDERS, type Order, THE_RULE, type Writer, writerGuesses } from "./request-writers.ts";

export interface RequestFacts {
  /** `signing_secret` of `GET /user/payment-key`, of the environment that the request names. */
  readonly signingSecret: string;
  /** Where it is not in the body. */
  readonly signature?: string;
  readonly hashKey?: string;
  /** Keys that may have been used. */
  readonly others?: readonly OtherKeys[];
  /** The text that your own code signs. */
  readonly own?: { readonly text?: string };
}

/** `body`: the text of the JSON or of the form, as it was sent. */
export async function explainRequest(body: string, facts: RequestFacts): Promise<Explanation> {
  const read = readRequestBody(body);
  if (read === undefined) return explanationOf([UNREADABLE]);
  const { signingSecret } = facts;
  const given = facts.signature ?? read.signature;
  const text = requestText(read.pairs);
  const tries = { count: 0 };
  const expected = toHex(await hmac(utf8(signingSecret), utf8(text)));
  const steps = [
    { title: "All fields but signature, sorted by name", text: linesOf(read.pairs) },
    { title: "Text that is signed", text },
    { title: "Signing secret", text: await describeSecret(signingSecret) },
    { title: "Signature computed", text: expected },
    { title: "Signature of the request", text: given ?? "none" },
  ];
  const mistakes = await mistakesOf(read, given, facts, tries);
  return explanationOf(mistakes, {
    steps,
    notes: notesOf(read, signingSecret),
    tried: tries.count,
  });
}

function explanationOf(
  mistakes: readonly Mistake[],
  { steps = [], notes = [], tried = 0 }: Partial<Explanation> = {},
): Explanation {
  const verified = mistakes.length === 0;
  return { verified, summary: summaryOf(mistakes), mistakes, notes, steps, tried };
}

async function mistakesOf(
  body: RequestBody,
  given: string | undefined,
  facts: RequestFacts,
  tries: Tries,
): Promise<readonly Mistake[]> {
  if (body.nested.length > 0) return body.nested.map(nestedField);
  if (facts.signingSecret === "") return [KEY_MISSING];
  if (given === undefined) return [SIGNATURE_MISSING];
  const found = await fitOf(body, given, facts, tries);
  if (found?.length === 0) return [];
  const own = await ownText(body, facts.own?.text, tries);
  // That the text is another one is certain when it was given; the rest may still be right.
  return found ?? own ?? [unknown(body)];
}

type Parts = [Bytes, Pairs, Order, Writer, Digest, string];

/** Undefined: nothing that was tried fits. */
async function fitOf(
  body: RequestBody,
  given: string,
  facts: RequestFacts,
  tries: Tries,
): Promise<readonly Mistake[] | undefined> {
  const right = requestText(body.pairs);
  const lists = [
    requestKeyGuesses(facts),
    fieldGuesses(body),
    ORDERS,
    writerGuesses(body),
    digestGuesses(given),
    signatureForms(given),
  ] as const;
  const fit = await findFit<Parts>(
    lists,
    async (key, pairs, order, write, digest, signature) =>
      (await digest(key, write(order(pairs)))) === signature,
    tries,
    right.length,
  );
  if (fit === undefined) return undefined;
  const [, pairs, order, write] = fit.values;
  return withDifference(fit.mistakes, write(order(pairs)), right);
}

/** What the merchant's own text is beside ours; undefined when none was given or it is right. */
async function ownText(
  body: RequestBody,
  own: string | undefined,
  tries: Tries,
): Promise<readonly Mistake[] | undefined> {
  const right = requestText(body.pairs);
  if (own === undefined) return undefined;
  if (own === right) return [KEY_OR_DIGEST];
  const fit = await findFit<[Pairs, Order, Writer]>(
    [fieldGuesses(body), ORDERS, writerGuesses(body)],
    async (pairs, order, write) => write(order(pairs)) === own,
    tries,
    right.length,
  );
  return withDifference(fit?.mistakes ?? [OTHER_TEXT], own, right);
}

function withDifference(
  mistakes: readonly Mistake[],
  signed: string,
  right: string,
): readonly Mistake[] {
  const difference = firstDifference(signed, right);
  return mistakes.map((each) => (difference ? { ...each, difference } : each));
}

function linesOf(pairs: Pairs): string {
  return sortedByName(pairs)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");
}

function notesOf({ repeated, literals, pairs }: RequestBody, secret: string): string[] {
  const values = new Map(pairs);
  return [
    ...repeated.map((name) => `${name} is there more than once: the last one counts.`),
    ...[...literals]
      .filter(([name, literal]) => values.get(name) !== literal)
      .map(([name, literal]) => {
        const printed = values.get(name);
        return `${name} is the number ${literal}, signed as ${printed}: better send it as text.`;
      }),
    ...(/^(svc_|whsec_|eyJ)/.test(secret)
      ? ["The secret given is an API key, a webhook's secret or a token: it is none of those."]
      : []),
  ];
}

const UNREADABLE = mistake(
  "body_unreadable",
  "The body is neither a JSON object nor form data.",
  "Give the body as it was sent, without headers.",
);
const KEY_MISSING = mistake(
  "key_missing",
  "There is no secret to check it with.",
  "Give the signing secret.",
);
const SIGNATURE_MISSING = mistake(
  "signature_missing",
  "There is no signature in the body.",
  "Send it as a field of its own, or give it here.",
);
const OTHER_TEXT = mistake("other_text", "Your code signs another text than we do.", THE_RULE);
const KEY_OR_DIGEST = mistake(
  "own_digest_unknown",
  "The text that your code signs is right: its key or its digest is not.",
  "Make an HMAC-SHA-256 of that text, keyed by the text of the signing secret, in hex.",
);

function nestedField(name: string): Mistake {
  const says = `${name} is a list or an object: a signed request must not have one.`;
  return mistake("nested_field", says, `Send ${name} as JSON text, and sign that text.`);
}

function unknown({ pairs }: RequestBody): Mistake {
  const environment = new Map(pairs).get("environment") ?? "the environment";
  const says = "Either the secret is another one, or other fields were signed than were sent.";
  const instead =
    `The request is of ${environment}: read that environment's secret at GET /user/payment-key. ` +
    "Give the text that your code signs, too: then the first byte that differs is shown.";
  return mistake(NOT_FOUND, says, instead);
}
