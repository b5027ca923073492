/**
 * A second person agrees: the action and the end of its request are one tx (Decision 0119), so of
 * two approvals one has an effect. What is no longer possible, would move another amount by now, or
 * was asked for by somebody who may not do it any more, is refused, and the request ends. It waits
 * on where it is only not possible at this moment.
 */

import { insertAudit } from "../../../infra/audit.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NotNow, OperatorError, ServiceError, Unavailable } from "../../../kit/errors.ts";
import { type OperatorRight, operatorMay } from "../../../kit/operator-roles.ts";
import { findNewcomer, readOperatorRole } from "../../people/operators/operator.ts";
import { type Act, type Command, defineAction, personOf, type Signature } from "../command.ts";
import { uuidField } from "../fields.ts";
import { plain } from "../render.ts";
import {
  type ApprovalRow,
  claimApproval,
  demandApproval,
  endApproval,
  NotWaiting,
} from "./approval.ts";
import { readTyped } from "./read-typed.ts";

type ActionCommand = Extract<Command, { kind: "action" }>;

export const approvalIdField = uuidField("approval", "As approvals shows it.");

export const approve = defineAction({
  name: "approve",
  right: "disputes",
  about: "agree to an action that waits for a second person, and carry it out",
  more:
    "Nobody approves their own, and only whose role may do the action itself. If it is no longer " +
    "possible, or would move another amount by now, it is refused and the request ends.",
  fields: { approval_id: approvalIdField },
  subject: "approval_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows: "Withdrawal TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is released, and waits to be paid out.",
    entry: 15,
  },
  async run(ctx, { approval_id: approvalId }, act) {
    const waiting = await demandApproval(ctx.db, approvalId);
    const command = ctx.commands.find(({ name }) => name === waiting.command);
    if (command?.kind !== "action") throw new Error(`no such action: ${waiting.command}`);
    if (typeof command.right !== "string" || !ctx.may(command.right))
      throw new OperatorError("Your role may not do this action, so it may not approve it either.");
    const input = readTyped(command, waiting.input);
    try {
      const agreed = { approvalId, command, right: command.right, input };
      return await command.run(ctx, input, actAgreed(act, agreed));
    } catch (error) {
      if ([Unavailable, NotWaiting, NotNow].some((kind) => error instanceof kind)) throw error;
      if (!(error instanceof OperatorError || error instanceof ServiceError)) throw error;
      return refuse(act, waiting, error.message);
    }
  },
});

interface Agreed {
  readonly approvalId: string;
  readonly command: ActionCommand;
  readonly right: OperatorRight;
  // biome-ignore lint/suspicious/noExplicitAny: a command has forgotten the types of its fields
  readonly input: any;
}

/** The asker acts, in the tx in which the second person agrees. */
function actAgreed(act: Act, { approvalId, command, right, input }: Agreed): Act {
  return (work) =>
    act(async (tx, second) => {
      const row = await claimApproval(tx, approvalId);
      demandAnother(row, second);
      await demandKnownForLong(tx, row, second);
      const role = await readOperatorRole(tx, row.asked_by);
      if (role === undefined || !operatorMay(role, right))
        throw new OperatorError("Who asked for it may not do it any more.");
      const moved = await command.moves?.(tx, input);
      const { amount } = moved ?? {};
      if (amount?.currency !== row.currency || amount.minor !== row.amount_minor)
        throw new OperatorError("It would move another amount by now: ask for it again.");
      const asker = askerOf(row, second);
      const done = await work(tx, asker);
      if (done.entry !== undefined)
        await insertAudit(tx, {
          ...done.entry,
          actor: `operator ${asker.by}`,
          detail: { why: asker.why, ...asker.from, ...done.entry.detail },
        });
      await endApproval(tx, approvalId, {
        state: "approved",
        by: nameOf(second),
        because: second.why,
        outcome: done.text,
      });
      return { ...done, entry: entryOf(row, "approval_given") };
    });
}

async function refuse(act: Act, row: ApprovalRow, because: string) {
  return act(async (tx, second) => {
    await claimApproval(tx, row.approval_id);
    demandAnother(row, second);
    await endApproval(tx, row.approval_id, {
      state: "refused",
      by: nameOf(second),
      because: second.why,
      outcome: because,
    });
    return {
      entry: entryOf(row, "approval_refused"),
      data: { approval_id: row.approval_id, state: "refused", because },
      text: `It could not be carried out, and its request has ended. ${because}`,
      isBad: true,
    };
  });
}

class OwnApproval extends NotWaiting {}

/** By person, and by name for somebody at a terminal. */
function demandAnother(row: ApprovalRow, second: Signature): void {
  if (personOf(second) === row.asked_by || second.by.toLowerCase() === row.asked_by_email)
    throw new OwnApproval("You asked for it yourself: somebody else has to approve it.");
}

/** One person could make another one, and be both (Decision 0136). */
async function demandKnownForLong(tx: Tx, row: ApprovalRow, second: Signature) {
  const two = [row.asked_by, personOf(second)].filter((id) => id !== undefined);
  const newcomer = await findNewcomer(tx, two);
  if (newcomer === undefined) return;
  throw new NotWaiting(
    `${newcomer.email} was added or changed by another operator, and counts as one of two people ` +
      `from ${plain(newcomer.from)} on.`,
  );
}

function askerOf(row: ApprovalRow, { by, why }: Signature): Signature {
  return {
    by: row.asked_by_email,
    why: row.why,
    from: {
      person_id: row.asked_by,
      ...row.asked_from,
      approval_id: row.approval_id,
      approved_by: by,
      approved_because: why,
    },
  };
}

export function nameOf(second: Signature): string {
  return personOf(second) ?? second.by;
}

export function entryOf(row: ApprovalRow, action: string) {
  const { approval_id, command, account_number, transaction_id, asked_by_email: asked_by } = row;
  return {
    action,
    ...(account_number === null ? {} : { accountNumber: account_number }),
    detail: { approval_id, command, transaction_id, asked_by },
  };
}
