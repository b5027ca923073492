/** Bank details: adding, changing and removing them, each with a fresh proof of who it is. */

import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { eachOptional, readFields } from "../../kit/fields/field.ts";
import type { BankType } from "../../modules/user/bank.ts";
import { addBank, changeBank, removeBank } from "../../modules/user/write-bank.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandSecondFactorForLiveMoney } from "../live-money.ts";
import { orRefused } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { type BankForm, bankPage, removeBankPage } from "./bank-page.ts";
import { WITHDRAWALS } from "./paths.ts";
import { BANK_KINDS, readBanks, type ShownBank } from "./read-banks.ts";

const BANK = `${WITHDRAWALS}/banks/{type}`;
const guarded = {
  right: "withdrawals",
  needsProof: true,
  params: { type: oneOf(["local", "foreign"]) },
} as const;

/** Whichever environment is shown: live withdrawals go to the same bank. */
function demandSecondFactor(ctx: ConsoleContext, visitor: Visitor): Promise<void> {
  return demandSecondFactorForLiveMoney(ctx, { ...visitor, environment: "live" });
}

async function findBank(ctx: ConsoleContext, visitor: Visitor, type: BankType): Promise<ShownBank> {
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

const show = consoleRoute({
  ...guarded,
  method: "GET",
  path: BANK,
  summary: "Add or change bank details",
  run: (ctx: ConsoleContext, { params: { type } }, visitor) => showForm(ctx, visitor, type),
});

const save = consoleRoute({
  ...guarded,
  method: "POST",
  path: BANK,
  summary: "Save bank details",
  async run(ctx: ConsoleContext, { params: { type }, texts, once }, visitor): Promise<Answer> {
    const { row } = await findBank(ctx, visitor, type);
    const { caller } = visitor;
    const kind = BANK_KINDS[type];
    const sent = texts();
    return orRefused(
      () =>
        once(async (tx) => {
          if (row === undefined)
            await addBank(ctx, tx, caller, kind, readFields(kind.fields, sent));
          else await changeBank(ctx, tx, caller, kind, readFields(eachOptional(kind.fields), sent));
          return `${WITHDRAWALS}?done=bank`;
        }),
      (refused) => showForm(ctx, visitor, type, { sent, refused }),
    );
  },
});

const askToRemove = consoleRoute({
  ...guarded,
  method: "GET",
  path: `${BANK}/remove`,
  summary: "Ask before bank details are removed",
  async run(ctx: ConsoleContext, { params: { type } }, visitor): Promise<Answer> {
    const bank = await findBank(ctx, visitor, type);
    if (bank.row === undefined) throw new NotFound("there are none");
    return removeBankPage(visitor, bank);
  },
});

const remove = consoleRoute({
  ...guarded,
  method: "POST",
  path: `${BANK}/remove`,
  summary: "Remove bank details",
  async run(ctx: ConsoleContext, { params: { type }, once }, visitor): Promise<Answer> {
    await demandSecondFactor(ctx, visitor);
    return once(async (tx) => {
      await removeBank(ctx, tx, visitor.caller, BANK_KINDS[type]);
      return `${WITHDRAWALS}?done=bank_removed`;
    });
  },
});

export const bankRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  show,
  save,
  askToRemove,
  remove,
];
