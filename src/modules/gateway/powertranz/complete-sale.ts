/**
 * Completes a sale when the customer is back from the bank: the one call that charges the card. The
 * journal says `completing` before it is sent, so it is made once (Decision 0080).
 *
 * What the customer's browser posts can stop a completion and decides nothing else: where the
 * gateway's answer says whether the customer was authenticated, that counts (Decision 0140).
 */

import type { Decided } from "../port.ts";
import { type Answer, decidedBy, readAnswer } from "./answer.ts";
import { NO_3D_SECURE, NOT_CONFIRMED, NOT_ENROLLED } from "./codes.ts";
import type { PowertranzParts } from "./parts.ts";
import { decidedOf, findSale, openChallenge, writeCompleting } from "./sale-journal.ts";
import {
  AUTHENTICATED,
  expectedOf,
  recordAnswer,
  recordOutcome,
  underWay,
} from "./sale-outcome.ts";
import { credentialsOf } from "./settings.ts";

const FAILED_AUTHENTICATION = ["N", "R"];

export async function complete(
  parts: PowertranzParts,
  reference: string,
  token: string,
  posted: Readonly<Record<string, string>>,
): Promise<Decided> {
  const { db, settings, client } = parts;
  const entry = await findSale(db, reference);
  if (entry === undefined || entry.challenge_digest !== token)
    throw new Error(`PowerTranz asked for no such challenge of ${reference}`);
  const decided = decidedOf(entry);
  if (decided !== undefined) return decided;
  const challenge = openChallenge(parts.wrappingKeys, entry);
  if (challenge === undefined) throw underWay();
  const refusal = refusalIn(posted, settings.unauthenticated === "take");
  if (refusal !== undefined) return recordOutcome(parts, entry, refusal);
  client.demandUp();
  const writtenAt = performance.now();
  const completing = await writeCompleting(db, reference);
  if (completing === undefined) throw underWay();
  const answer = readAnswer(
    await client.call({
      method: "POST",
      path: "spi/payment",
      body: challenge.spiToken,
      credentials: credentialsOf(settings, entry.merchant_id),
      isFinancial: true,
      writtenAt,
    }),
  );
  return recordAnswer(parts, completing, answer, decidedBy(answer, expectedOf(completing)));
}

/**
 * What the browser says of the authentication, as far as it speaks against a completion: an honest
 * customer who was not authenticated is refused without a charge that had to be undone. Nothing was
 * posted: the post was taken by a process that died, and its words with it.
 */
function refusalIn(
  posted: Readonly<Record<string, string>>,
  takesUnauthenticated: boolean,
): Decided | undefined {
  if (Object.keys(posted).length === 0) return undefined;
  const { code, authentication = "" } = readPosted(posted.Response ?? "");
  const refused = (message: string): Decided => ({ outcome: "declined", code: "3D", message });
  if (FAILED_AUTHENTICATION.includes(authentication)) return refused(NOT_CONFIRMED);
  if (takesUnauthenticated || AUTHENTICATED.includes(authentication)) return undefined;
  return refused(code === NOT_ENROLLED ? NO_3D_SECURE : NOT_CONFIRMED);
}

function readPosted(text: string): Answer {
  try {
    return readAnswer(JSON.parse(text));
  } catch {
    return readAnswer(undefined);
  }
}
