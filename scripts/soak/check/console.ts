/** What forms of the console were answered with, against what is there. */

import { sql } from "../../../src/infra/db/query.ts";
import type { Check } from "./evidence.ts";

/**
 * An accepted form took effect, and once, however often it was sent; a session lasted until it was
 * ended. (Withdrawals, keys, links and names are held against what is there with those of the API.)
 */
export const formsTakeEffectOnce: Check = async ({ db, diary }) => {
  const rows = await db.rows<{ word: string; id: string; amount: string }>(sql`
    select reason as word, transaction_id as id,
      (amount_minor / 100) || '.' || lpad((amount_minor % 100)::text, 2, '0') as amount
    from refunds where reason = any (${[...diary.formRefunds.keys()]})`);
  const byWord = Map.groupBy(rows, ({ word }) => word);
  const wrong = [...diary.formRefunds].flatMap(([word, { transactionId, amount }]) => {
    const made = byWord.get(word) ?? [];
    const isRight = made.length === 1 && made[0]?.id === transactionId && made[0].amount === amount;
    return isRight ? [] : [`the refund ${word} of ${amount} is ${JSON.stringify(made)}`];
  });
  const tried = (what: string) => diary.tried.get(what) ?? 0;
  const pages = tried("pages of the console");
  const forms = tried("forms of the console");
  const complaints = diary.seenWrong.get("console") ?? [];
  return {
    looked: Math.min(pages, 1) * forms,
    wrong: [...wrong, ...complaints],
  };
};
