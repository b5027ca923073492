/** Bank details: adding, changing and removing them, each with a fresh proof of who it is. */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { eachOptional, readFields } from "../../kit/fields/field.ts";
import type { BankKind, BankType } from "../../modules/user/bank.ts";
import { foreignBank } from "../../modules/user/foreign-bank.ts";
import { localBank } from "../../modules/user/local-bank.ts";
import { addBank, changeBank, removeBank } from "../../modules/user/write-bank.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandSecondFactorForLiveMoney } from "../live-money.ts";
import { orRefused } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { type BankForm, bankPage, removeBankPage } from "./bank-page.ts";
import { bankPath, WITHDRAWALS } from "./paths.ts";
import { type BankView, readBanks } from "./read-banks.ts";

const guarded = { right: "withdrawals", needsProof: true } as const;

/** Whichever environment is shown: live withdrawals go to the same bank. */
function demandSecondFactor(ctx: ConsoleContext, visitor: Visitor): Promise<void> {
  return demandSecondFactorForLiveMoney(ctx, { ...visitor, environment: "live" });
}

async function findBank(ctx: ConsoleContext, visitor: Visitor, type: BankType): Promise<BankView> {
  await demandSecondFactor(ctx, visitor);
  const banks = await readBanks(ctx.db, visitor);
  const bank = banks.find(({ kind }) => kind.type === type);
  if (bank === undefined) throw new NotFound("no such kind of bank");
  return bank;
}

async function showForm(
  ctx: ConsoleContext,
  visitor: Visitor,
  type: BankType,
  more: Omit<BankForm, "bank"> = {},
): Promise<Answer> {
  return bankPage(visitor, { bank: await findBank(ctx, visitor, type), ...more });
}

function formRoutes(kind: BankKind): ConsoleRoute<ConsoleContext>[] {
  const path = bankPath(kind.type);
  return [
    consoleRoute({
      ...guarded,
      method: "GET",
      path,
      summary: `Add or change the ${kind.type} bank details`,
      run: (ctx: ConsoleContext, _call, visitor) => showForm(ctx, visitor, kind.type),
    }),
    consoleRoute({
      ...guarded,
      method: "POST",
      path,
      summary: `Save the ${kind.type} bank details`,
      async run(ctx: ConsoleContext, { texts, once }, visitor): Promise<Answer> {
        const { row } = await findBank(ctx, visitor, kind.type);
        const { caller } = visitor;
        const sent = texts();
        const write = async (tx: Tx) => {
          if (row === undefined)
            await addBank(ctx, tx, caller, kind, readFields(kind.fields, sent));
          else await changeBank(ctx, tx, caller, kind, readFields(eachOptional(kind.fields), sent));
          return `${WITHDRAWALS}?done=bank`;
        };
        return orRefused(
          () => once(write),
          (refused) => showForm(ctx, visitor, kind.type, { sent, refused }),
        );
      },
    }),
  ];
}

function removalRoutes(kind: BankKind): ConsoleRoute<ConsoleContext>[] {
  const path = `${bankPath(kind.type)}/remove`;
  return [
    consoleRoute({
      ...guarded,
      method: "GET",
      path,
      summary: `Ask before the ${kind.type} bank details are removed`,
      async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
        const bank = await findBank(ctx, visitor, kind.type);
        if (bank.row === undefined) return redirect(WITHDRAWALS);
        return removeBankPage(visitor, bank);
      },
    }),
    consoleRoute({
      ...guarded,
      method: "POST",
      path,
      summary: `Remove the ${kind.type} bank details`,
      async run(ctx: ConsoleContext, { once }, visitor): Promise<Answer> {
        await demandSecondFactor(ctx, visitor);
        return once(async (tx) => {
          await removeBank(ctx, tx, visitor.caller, kind);
          return `${WITHDRAWALS}?done=bank_removed`;
        });
      },
    }),
  ];
}

export const bankRoutes: readonly ConsoleRoute<ConsoleContext>[] = [localBank, foreignBank].flatMap(
  (kind: BankKind) => [...formRoutes(kind), ...removalRoutes(kind)],
);
