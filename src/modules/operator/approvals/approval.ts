/**
 * What waits for a second person (Decision 0119): the command and what was typed, kept until
 * somebody else agrees, refuses, or too much time has passed. One row for each request, which ends
 * once.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import {
  bool,
  columns,
  computed,
  json,
  nullable,
  pick,
  type Row,
  text,
  word,
} from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NoSuchRecord, OperatorError } from "../../../kit/errors.ts";
import { type Currency, formatMoney, money } from "../../../kit/money.ts";
import type { Moved } from "../command.ts";
import type { ApprovableBy } from "./approvable.ts";

const LIFE_HOURS = 24;

type Typed = Readonly<Record<string, string>>;

const APPROVAL = {
  ...pick(tables.approvals, "approval_id", "command", "account_number", "transaction_id"),
  ...pick(tables.approvals, "amount_minor", "asked_by", "why", "asked_at"),
  currency: word<Currency>(),
  ...pick(tables.approvals, "expires_at", "state", "decided_by", "decided_because"),
  ...pick(tables.approvals, "decided_at", "outcome"),
  input: json<Typed>(),
  asked_from: json<Readonly<Record<string, unknown>>>(),
  asked_by_email: computed(text, sql`persons.email`),
  decided_by_email: computed(
    nullable(text),
    sql`(select email from persons where person_id::text = decided_by)`,
  ),
  is_over: computed(bool, sql`expires_at <= real_now()`),
};

export type ApprovalRow = Row<typeof APPROVAL>;

const JOINED = sql`approvals join persons on persons.person_id = asked_by`;

export interface NewApproval {
  readonly command: string;
  /** As it was typed, by the names of the command's fields. */
  readonly input: Typed;
  readonly moved: Moved;
  readonly personId: string;
  readonly from: Readonly<Record<string, unknown>>;
  readonly why: string;
}

/** Undefined where the same is waiting already. */
export async function insertApproval(tx: Tx, asked: NewApproval): Promise<string | undefined> {
  const { command, input, moved, personId, from, why } = asked;
  const { amount, accountNumber, transactionId } = moved;
  const typed = JSON.stringify(input);
  await tx.run(sql`
    update approvals set state = 'expired', decided_at = real_now(), decided_by = 'nobody',
      decided_because = 'Nobody decided in time.'
    where state = 'waiting' and command = ${command} and amount_minor = ${amount.minor}
      and transaction_id is not distinct from ${transactionId} and expires_at <= real_now()`);
  const row = await tx.maybeOne(sqlOf(pick(tables.approvals, "approval_id"))`
    insert into approvals (command, input, account_number, transaction_id, currency, amount_minor,
      asked_by, asked_from, why, expires_at)
    values (${command}, ${typed}::jsonb, ${accountNumber}, ${transactionId}, ${amount.currency},
      ${amount.minor}, ${personId}, ${JSON.stringify(from)}::jsonb, ${why},
      real_now() + make_interval(hours => ${LIFE_HOURS}))
    on conflict do nothing returning approval_id`);
  return row?.approval_id;
}

export async function demandApproval(
  db: Queryable,
  approvalId: string,
  lock: Sql = sql``,
): Promise<ApprovalRow> {
  const row = await db.maybeOne(sqlOf(APPROVAL)`
    select ${columns(APPROVAL)} from ${JOINED} where approval_id = ${approvalId} ${lock}`);
  if (row === undefined) throw new NoSuchRecord(`There is no approval ${approvalId}.`);
  return row;
}

/** Locked until the tx ends, so that of two decisions one finds it decided. */
export async function claimApproval(tx: Tx, approvalId: string): Promise<ApprovalRow> {
  const row = await demandApproval(tx, approvalId, sql`for update of approvals`);
  if (row.state !== "waiting") throw new NotWaiting(`It was decided before: it is ${row.state}.`);
  if (row.is_over) throw new NotWaiting("Too much time has passed: ask for it again.");
  return row;
}

/** Nothing is decided by it, and the row stays as it is. */
export class NotWaiting extends OperatorError {}

export async function endApproval(
  tx: Tx,
  approvalId: string,
  end: {
    readonly state: "approved" | "rejected" | "refused";
    readonly by: string;
    readonly because: string;
    readonly outcome?: string;
  },
): Promise<void> {
  await tx.run(sql`
    update approvals set state = ${end.state}, decided_by = ${end.by},
      decided_because = ${end.because}, decided_at = real_now(), outcome = ${end.outcome ?? null}
    where approval_id = ${approvalId} and state = 'waiting'`);
}

const WAITS = sql`(approvals.state = 'waiting' and expires_at > real_now())`;

/** That others asked for, and that this person's role may do. */
export function waitingFor({ personId, commands }: ApprovableBy): Sql {
  return sql`${WAITS} and approvals.command = any(${commands})
    and approvals.asked_by is distinct from ${personId ?? null}::uuid`;
}

/** The longest waiting first. */
export function listWaitingFor(
  db: Queryable,
  by: ApprovableBy,
  max: number,
): Promise<ApprovalRow[]> {
  return db.rows(sqlOf(APPROVAL)`
    select ${columns(APPROVAL)} from ${JOINED} where ${waitingFor(by)}
    order by asked_at limit ${max}`);
}

/** Those that wait, the longest first; then what was asked for last and is over. */
export function listApprovals(db: Queryable, max: number): Promise<ApprovalRow[]> {
  return db.rows(sqlOf(APPROVAL)`
    select ${columns(APPROVAL)} from ${JOINED}
    where approval_id in (
      (select approval_id from approvals where ${WAITS} order by asked_at limit ${max})
      union all
      (select approval_id from approvals where not ${WAITS} order by asked_at desc limit ${max}))
    order by ${WAITS} desc, case when ${WAITS} then asked_at end, asked_at desc
    limit ${max}`);
}

/** Those about a payment or a withdrawal. */
export function listWaitingAbout(db: Queryable, transactionId: string): Promise<ApprovalRow[]> {
  return db.rows(sqlOf(APPROVAL)`
    select ${columns(APPROVAL)} from ${JOINED}
    where transaction_id = ${transactionId} and ${WAITS}
    order by asked_at`);
}

export function viewApproval(row: ApprovalRow) {
  return {
    approval_id: row.approval_id,
    command: row.command,
    input: row.input,
    account_number: row.account_number,
    transaction_id: row.transaction_id,
    amount: formatMoney(money(row.currency, row.amount_minor)),
    currency: row.currency,
    asked_by: row.asked_by_email,
    why: row.why,
    asked_at: row.asked_at,
    expires_at: row.expires_at,
    state: row.state === "waiting" && row.is_over ? "expired" : row.state,
    decided_by: row.decided_by_email ?? row.decided_by,
    decided_because: row.decided_because,
    decided_at: row.decided_at,
    outcome: row.outcome,
  };
}
