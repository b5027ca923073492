/**
 * Mail that leaves: what was promised arrived, at its recipient, however often the mail server was
 * away and the sender died; a mail may come twice, in the same words under the same Message-ID
 * (Decision 0086).
 */

import { sql } from "../../../src/infra/db/query.ts";
import { type Check, complaintsOf, type Evidence } from "./evidence.ts";
import { linksMissing, wrongReceipts } from "./mail.ts";

const NEW_KEY = "A new API key";

export const mailArrives: Check = async ({ post }) => {
  const { db, mailbox, wrong } = post;
  const rows = await db.rows<{ id: string; to: string; state: string; hasWords: boolean }>(sql`
    select mail_id::text as id, recipient as to, state, content_box is not null as "hasWords"
    from mails`);
  const arrived = Map.groupBy(mailbox.received(), ({ messageId = "" }) => idIn(messageId));
  const known = new Set(rows.map(({ id }) => id));
  const lost = rows.flatMap(({ id, to, state, hasWords }) => {
    const copies = arrived.get(id) ?? [];
    const words = new Set(copies.map(({ subject, text, html }) => `${subject} ${text} ${html}`));
    if (state !== "sent") return [`${id} is ${state}`];
    if (copies.length === 0) return [`${id} is said to be sent and never arrived`];
    if (words.size > 1) return [`${id} arrived in other words`];
    if (hasWords) return [`the words of ${id} are kept, though it was sent`];
    const isElsewhere = copies.some(({ envelope }) => envelope.to.join(" ") !== to);
    return isElsewhere ? [`${id} to ${to} arrived somewhere else`] : [];
  });
  const strays = [...arrived.keys()].filter((id) => !known.has(id));
  return {
    looked: arrived.size,
    wrong: [
      ...lost,
      ...strays.map((id) => `${id} arrived and was never queued`),
      ...(await unpromised(post)),
      ...wrong(),
    ],
  };
};

/** A mail for each key that was made, each receipt that was asked for, each forgotten password. */
async function unpromised({ db, diary, mailbox }: Evidence["post"]): Promise<string[]> {
  const { made } = await db.one<{ made: number }>(sql`select count(*)::int as made from api_keys`);
  const told = new Set(
    mailbox
      .received()
      .filter(({ subject }) => subject === NEW_KEY)
      .map(({ messageId }) => messageId),
  );
  return [
    ...(told.size === made ? [] : [`${made} keys were made, and ${told.size} mails tell of one`]),
    ...complaintsOf(await wrongReceipts(db, diary), "receipts that were asked for"),
    ...complaintsOf(await linksMissing(db, diary), "who forgot a password got no link"),
  ];
}

/** The left side of a Message-ID. */
function idIn(messageId: string): string {
  return messageId.replace(/^<|@.*$/g, "");
}
