/** Paying a list: a file is checked as a whole, shown as what it would do, then paid or not. */

import type { Answer } from "../../infra/http/answer.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { auditedWhenTooMany } from "../../modules/withdrawals/create-withdrawal.ts";
import { payList } from "../../modules/withdrawals/payee-lists/pay-list.ts";
import {
  findList,
  keepList,
  type ListOwner,
} from "../../modules/withdrawals/payee-lists/payee-list.ts";
import {
  LIST_BYTES_MAX,
  type ListProblem,
  listTemplate,
  readList,
} from "../../modules/withdrawals/payee-lists/read-list.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { csvFile } from "../csv-file.ts";
import { orRefused, type RefusedForm } from "../refused.ts";
import { ownerOf, type Visitor } from "../visitor.ts";
import { LISTS, TEMPLATE, WITHDRAWALS } from "./paths.ts";
import { confirmListPage, FILE_FIELD, uploadPage } from "./payee-list-page.ts";
import { planPayments, totalsOf } from "./plan-list.ts";
import { readBalances } from "./read-balances.ts";
import { demandMayPay } from "./withdraw-routes.ts";

const guarded = { right: "withdrawals", needsProof: true } as const;
const params = { list_id: text({ max: 64 }) };
const DONE = `${WITHDRAWALS}?done=payouts`;

const askUpload = consoleRoute({
  ...guarded,
  method: "GET",
  path: LISTS,
  summary: "The form of a list of payees",
  async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    return uploadPage(visitor);
  },
});

const upload = consoleRoute({
  ...guarded,
  method: "POST",
  path: LISTS,
  summary: "Check a list of payees",
  upload: { field: FILE_FIELD, bytesMax: LIST_BYTES_MAX },
  async run(ctx: ConsoleContext, { upload: { file, problem } }, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    if (file === undefined) return withProblems(visitor, [{ line: 1, message: problem ?? "" }]);
    const { lines, problems } = readList(file, platformOf(visitor.account.countryCode));
    if (problems.length > 0) return withProblems(visitor, problems);
    const owner = uploaderOf(visitor);
    const listId = await ctx.db.transaction((tx) => keepList(ctx.config, tx, owner, lines));
    return redirect(`${LISTS}/${listId}`);
  },
});

function withProblems(visitor: Visitor, problems: readonly ListProblem[]): Answer {
  return { ...uploadPage(visitor, problems), status: 422, error: "payee_list_invalid" };
}

function uploaderOf(visitor: Visitor): ListOwner {
  return { ...ownerOf(visitor), personId: visitor.person.personId };
}

const template = consoleRoute({
  right: "withdrawals",
  method: "GET",
  path: TEMPLATE,
  summary: "A list of payees to begin with",
  async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    return csvFile("payees.csv", listTemplate(platformOf(visitor.account.countryCode)));
  },
});

async function showList(
  ctx: ConsoleContext,
  visitor: Visitor,
  more: { readonly listId: string; readonly page?: number; readonly refused?: RefusedForm },
): Promise<Answer> {
  const { listId, page = 1, refused } = more;
  const wanted = { ...uploaderOf(visitor), listId };
  const { isPaid, lines } = await findList(ctx.config, ctx.db, wanted);
  if (isPaid) return redirect(DONE);
  const payments = planPayments(visitor, lines);
  const totals = totalsOf(payments, await readBalances(ctx.db, visitor));
  return confirmListPage(visitor, { listId, payments, totals, page, ...(refused && { refused }) });
}

const askPay = consoleRoute({
  ...guarded,
  method: "GET",
  path: `${LISTS}/{list_id}`,
  summary: "What a list would pay",
  params,
  async run(ctx: ConsoleContext, { params: { list_id: listId }, url }, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    const page = Number(new URL(url).searchParams.get("page") ?? "1");
    if (!Number.isInteger(page) || page < 1)
      throw new FieldRefused("The page must be a whole number.", { field: "page" });
    return showList(ctx, visitor, { listId, page });
  },
});

const pay = consoleRoute({
  ...guarded,
  method: "POST",
  path: `${LISTS}/{list_id}`,
  summary: "Pay a list",
  params,
  async run(ctx: ConsoleContext, { params: { list_id: listId }, once }, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    const { caller } = visitor;
    const paying = once(async (tx) => {
      await payList(ctx, tx, caller, { ...uploaderOf(visitor), listId });
      return DONE;
    });
    return orRefused(
      () => auditedWhenTooMany(ctx, caller, paying),
      (refused) => showList(ctx, visitor, { listId, refused }),
    );
  },
});

export const payeeListRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  askUpload,
  upload,
  template,
  askPay,
  pay,
];
