/** Each change has its one event, the feed has no gap, and every event reached its receiver. */

import { Webhook } from "standardwebhooks";
import { sql } from "../../../src/infra/db/query.ts";
import type { Station } from "../receivers.ts";
import { type Check, complaintsOf, type Evidence } from "./evidence.ts";

export const everyChangeIsTold: Check = async (evidence) => {
  const { db, diary } = evidence;
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int from events`);
  const gaps = await db.rows(sql`
    select account_number, environment, count(*)::int, min(sequence), max(sequence) from events
    group by account_number, environment
    having min(sequence) <> 1 or max(sequence) <> count(*) or count(sequence) <> count(*)`);
  return {
    looked: count,
    wrong: [
      ...complaintsOf(gaps, "a feed has a gap"),
      ...complaintsOf(await miscounted(evidence), "changes and events differ"),
      ...(await undelivered(evidence)),
      ...(diary.seenWrong.get("feed") ?? []),
    ],
  };
};

/** How often each kind of change is in the records of a thing, and how often in its events. */
async function miscounted({ db }: Evidence): Promise<object[]> {
  return db.rows(sql`
    with expected as (
      select transaction_id as resource, 'payment.created' as event, 1 as times from transactions
      union all select transaction_id, 'payment.' || status, 1 from transactions
        where status <> 'incomplete'
      union all select transaction_id, 'payment.refund_requested', count(*) from refunds group by 1
      union all select transaction_id, 'payment.refunded', count(*) from refunds
        where state = 'refunded' group by 1
      union all select transaction_id, 'payment.refund_rejected', count(*) from refunds
        where state = 'rejected' group by 1
      union all select transaction_id, 'withdrawal.pending', 1 from withdrawals
      union all select transaction_id, 'withdrawal.' || status, 1 from withdrawals
        where status in ('completed', 'failed', 'cancelled', 'returned')
      union all select transaction_id, 'withdrawal.completed', 1 from withdrawals
        where status = 'returned'
      union all select transaction_id, 'withdrawal.processing', payout_count from withdrawals
        where payout_count > 0
      union all select transaction_id, 'trusted_card.created', 1 from trusted_cards
      union all select transaction_id, 'trusted_card.verified', 1 from trusted_cards
        where verified_at is not null
      union all select transaction_id, 'trusted_card.deleted', 1 from trusted_cards
        where state = 'deleted'
      union all select transaction_id, 'payment.chargeback_pending', count(*) from disputes
        where kind = 'chargeback' group by 1
      union all select transaction_id, 'payment.chargeback_' || state, count(*) from disputes
        where kind = 'chargeback' and state <> 'open' group by 1, state
      union all select transaction_id, 'payment.late_approval_voided', count(*)
        from checkout_attempts join transactions using (transaction_id)
        where state = 'voided' group by 1
    ), told as (
      select resource, event, count(*) as times from events
      where event in (select event from expected) group by resource, event
    )
    select resource, event, expected.times as changes, told.times as events
    from expected full join told using (resource, event)
    where expected.times is distinct from told.times limit 20`);
}

interface Sent {
  readonly event_id: string;
  readonly url: string;
  readonly state: string;
  readonly body: string;
}

async function undelivered({ db, fleet }: Evidence): Promise<string[]> {
  const rows = await db.rows<Sent & Record<string, unknown>>(sql`
    select delivery.event_id, url, state, body
    from webhook_deliveries as delivery
    join webhook_endpoints using (endpoint_id) join events using (event_id)
    where url = any (${fleet.stations.map(({ url }) => url)})`);
  const missing = await db.rows(sql`
    select events.event_id, events.event from events
    join webhook_endpoints as endpoint using (account_number, environment)
    left join webhook_deliveries using (event_id, endpoint_id)
    where endpoint.url = any (${fleet.stations.map(({ url }) => url)})
      and events.event = any (endpoint.events) and only_endpoint_id is null
      and delivery_id is null limit 20`);
  const byUrl = Map.groupBy(rows, ({ url }) => url);
  return [
    ...complaintsOf(missing, "an event was never sent"),
    ...fleet.stations.flatMap((station) => judge(station, byUrl.get(station.url) ?? [])),
  ];
}

function judge({ receiver, way, secret }: Station, sent: readonly Sent[]): string[] {
  const arrived = Map.groupBy(receiver.received, ({ id }) => id);
  const verifier = new Webhook(secret);
  const wrong = sent.flatMap(({ event_id: id, state, body }) => {
    const copies = arrived.get(id) ?? [];
    if (state !== "delivered") return [`${id} is ${state} at a ${way} receiver`];
    if (copies.length === 0) return [`${id} is said to be delivered and never arrived`];
    return copies.every((copy) => copy.body === body) ? [] : [`${id} arrived in other words`];
  });
  const known = new Set(sent.map(({ event_id: id }) => id));
  for (const { id, headers, body } of receiver.received) {
    if (!known.has(id)) wrong.push(`${id} arrived and was never sent`);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    if (headers["webhook-signature"] !== verifier.sign(id, at, body))
      wrong.push(`${id} arrived with a wrong signature`);
  }
  return wrong;
}
