/**
 * A merchant verifies a card by naming the small amount, which the customer read from the statement
 * (Decision 0043).
 *
 * A wrong try is counted in the tx that answers it, under the lock of the card's row, and that tx
 * commits although the answer is a refusal. So however many guess at once, three tries are all
 * there are; the third wrong one deletes the card. They are counted by the card's number too, which
 * outlives the record.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, bytes } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Answer } from "../../infra/http/answer.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal, ServiceError } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { removeCard } from "./delete-card.ts";
import { dueReturn } from "./return-check.ts";
import {
  CARD,
  CARD_COLUMNS,
  type CardRow,
  lockCard,
  tellOfCard,
  type WantedCard,
} from "./trusted-card.ts";
import { countWrongAmount, demandGuess } from "./wrong-amounts.ts";

const TRIES_MAX = 3;

export class AlreadyVerified extends fixedRefusal("card_already_verified") {}

export class AmountIncorrect extends ServiceError {
  constructor(headers: Readonly<Record<string, string>> = {}) {
    super("amount_incorrect", { headers });
  }
}

const REFUSED = new AmountIncorrect();
/** As it is kept under an Idempotency-Key: the wrong try was counted, so the tx must commit. */
export const INCORRECT = {
  status: REFUSED.status,
  body: { message: REFUSED.message },
} satisfies Answer;

/**
 * Throws after the tx what could not be thrown within it. By its status: of a replay only that and
 * bytes are kept, and no other answer of this tx is a 400, because what it throws is not kept.
 */
export function demandCorrect(answer: Answer): Answer {
  if (answer.status === INCORRECT.status) throw new AmountIncorrect(answer.headers);
  return answer;
}

/** Undefined: the amount is wrong, and that was counted. */
export async function verifyCard(
  tx: Tx,
  caller: Caller,
  wanted: WantedCard,
  amountMinor: bigint,
): Promise<CardRow | undefined> {
  await holdCredential(tx, caller, "read");
  const card = await lockCard(tx, wanted);
  if (card.state === "verified") throw new AlreadyVerified();
  const { amount_minor, fingerprint } = await tx.one(sqlOf({
    amount_minor: bigint,
    fingerprint: bytes,
  })`
    select amount_minor, card.fingerprint from trusted_cards as card
    join card_checks using (transaction_id) where card.card_uuid = ${card.card_uuid}`);
  const { account_number: accountNumber, environment, card_uuid: uuid } = card;
  const guessed = { accountNumber, environment, fingerprint };
  await demandGuess(tx, guessed);
  if (amount_minor === amountMinor) return writeVerified(tx, caller, uuid);
  await countWrongAmount(tx, guessed, { uuid });
  await countTry(tx, caller, card);
  return undefined;
}

async function writeVerified(tx: Tx, caller: Caller, uuid: string): Promise<CardRow> {
  const card = await tx.one(sqlOf(CARD)`
    update trusted_cards set state = 'verified', verified_at = app_now()
    where card_uuid = ${uuid} returning ${CARD_COLUMNS}`);
  await recordAudit(tx, caller, "trusted_card_verified", { detail: { uuid } });
  await tellOfCard(tx, card, "trusted_card.verified");
  await dueReturn(tx, card);
  return card;
}

async function countTry(tx: Tx, caller: Caller, card: CardRow): Promise<void> {
  const { card_uuid: uuid } = card;
  const tries = card.try_count + 1;
  const detail = { uuid, tries };
  await recordAudit(tx, caller, "trusted_card_verification_failed", { detail });
  // First: a card that is there has fewer than three wrong tries.
  if (tries === TRIES_MAX) await removeCard(tx, card, "three wrong tries", caller);
  await tx.run(sql`
    update trusted_cards set try_count = ${tries} where card_uuid = ${uuid}`);
}
