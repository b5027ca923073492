/**
 * Carries out a command for somebody at `/operator`: at once, or as a request that a second person
 * decides (Decision 0119). What needs one is tried first and taken back, so that a request could be
 * carried out when it was made. The session and the role are held in each tx: somebody who was
 * removed or signed out in between does nothing any more.
 */

import { insertAudit } from "../../../infra/audit.ts";
import { now } from "../../../infra/db/clock.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { describeMoney } from "../../../kit/money.ts";
import { operatorMay } from "../../../kit/operator-roles.ts";
import { scrub } from "../../../kit/scrub.ts";
import { holdOperatorRole } from "../../people/operators/operator-session.ts";
import { SessionOver } from "../../people/self.ts";
import { type ActHooks, createAct } from "../act.ts";
import type { Command, Moved, OperatorContext, Report } from "../command.ts";
import { insertApproval } from "./approval.ts";
import { needsSecondPerson } from "./second-person.ts";
import { tellApprovers } from "./tell-approvers.ts";

export interface ActingOperator {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly from: Readonly<Record<string, unknown>>;
}

export interface Wanted {
  readonly command: Extract<Command, { kind: "action" }>;
  /** As it was typed. */
  readonly typed: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a command has forgotten the types of its fields
  readonly input: any;
  readonly why: string;
}

/** How a report begins of what was not done yet. */
export const WAITING = "Waiting for approval";

class SecondPersonNeeded extends Error {
  readonly moved: Moved;

  constructor(moved: Moved) {
    super("taken back: a second person decides");
    this.moved = moved;
  }
}

export async function runForOperator(
  ctx: OperatorContext,
  wanted: Wanted,
  { who, hooks: given }: { readonly who: ActingOperator; readonly hooks: ActHooks },
): Promise<Report> {
  const { command, input, why } = wanted;
  const hooks: ActHooks = {
    ...given,
    async before(tx) {
      await holdOperator(tx, who, command);
      await given.before?.(tx);
    },
  };
  let moved: Moved | undefined;
  const act = createAct(
    ctx.db,
    { by: who.email, why, from: { person_id: who.personId, ...who.from } },
    {
      async before(tx) {
        await hooks.before?.(tx);
        moved = await command.moves?.(tx, input);
      },
      async after(tx, report) {
        if (moved !== undefined && needsSecondPerson(ctx.config, moved.amount, await now(tx)))
          throw new SecondPersonNeeded(moved);
        await hooks.after?.(tx, report);
      },
    },
  );
  try {
    return await command.run(ctx, input, act);
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error;
    return ctx.db.transaction((tx) => ask(ctx, tx, error.moved, { wanted, who, hooks }));
  }
}

async function holdOperator(
  tx: Tx,
  { sessionId }: ActingOperator,
  { right }: Wanted["command"],
): Promise<void> {
  const role = await holdOperatorRole(tx, sessionId);
  if (role === undefined || typeof right !== "string" || !operatorMay(role, right))
    throw new SessionOver("ended in between, or with another role");
}

async function ask(
  { config }: Pick<OperatorContext, "config">,
  tx: Tx,
  moved: Moved,
  { wanted, who, hooks }: { wanted: Wanted; who: ActingOperator; hooks: ActHooks },
): Promise<Report> {
  await hooks.before?.(tx);
  const { command, typed } = wanted;
  const { personId, email, from } = who;
  const why = scrub(wanted.why);
  const input = Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, scrub(value)]),
  );
  const asked = { command: command.name, input, moved, personId, from, why };
  const approvalId = await insertApproval(tx, asked);
  if (approvalId === undefined)
    throw new OperatorError("The same is waiting for approval already.");
  const { accountNumber, transactionId } = moved;
  await insertAudit(tx, {
    action: "approval_asked",
    accountNumber,
    actor: `operator ${email}`,
    detail: {
      why,
      person_id: personId,
      ...from,
      approval_id: approvalId,
      command: command.name,
      transaction_id: transactionId,
    },
  });
  await tellApprovers(config, tx, {
    approvalId,
    command,
    moved,
    by: { personId, email },
  });
  const report = {
    data: { approval_id: approvalId },
    text:
      `${WAITING}: ${describeMoney(moved.amount)} needs a second person. ` +
      "Nothing has been done yet.",
  };
  await hooks.after?.(tx, report);
  return report;
}
