/** What a merchant is told of a chargeback that is open, by mail and on the payment's page. */

import { timeText } from "../../parts/time.ts";

/**
 * `answerBy`: the day that the bank named, if it did. How much is held is said so that it is true
 * where the balance covers only a part (Decision 0030).
 */
export function openDisputeWords(answerBy: string | null): readonly [money: string, proof: string] {
  const proof = "Keep ready what proves the sale, such as the order and its delivery, and send it";
  return [
    "The customer has asked the card's bank for the money back. As much of it as your balance " +
      "had is held until the bank has decided.",
    answerBy === null
      ? `${proof} to us soon: banks often allow only a week or two.`
      : `${proof} to us in time: the bank wants an answer by ${dayText(answerBy)}.`,
  ];
}

function dayText(day: string): string {
  return timeText(new Date(`${day}T00:00:00Z`), "UTC", "longDate");
}
