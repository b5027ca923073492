/** Lists what waits for a person: the round of a bank day begins with it. */

import type { Queryable } from "../../../infra/db/query.ts";
import { type ApprovableBy, approvableCommands } from "../approvals/approvable.ts";
import { defineRead } from "../command.ts";
import { reportBlocks, words } from "../render.ts";
import {
  differingChecks,
  heldWithdrawals,
  openDisputes,
  waitingApprovals,
} from "./read-waiting.ts";

export const waiting = defineRead({
  name: "waiting",
  about: "list what waits for a person: approvals, held withdrawals, open disputes",
  more:
    "Of live money, the longest waiting first, disputes by the day on which their bank wants an " +
    "answer; and the hourly checks that found a difference.",
  fields: {},
  example: {
    given: "",
    shows: [
      "Open disputes",
      "  payment                        account     shop            order    amount     " +
        "opened                answer by",
      "  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  Anika Mohammed  order-1  40.00 TTD  " +
        "2026-11-15 06:32:08Z  -",
    ].join("\n"),
  },
  run: ({ db, commands, may }) =>
    readWaiting(db, { commands: approvableCommands(commands, may) }, { withChecks: true }),
});

export async function readWaiting(
  db: Queryable,
  by: ApprovableBy,
  { withChecks }: { readonly withChecks: boolean },
) {
  const tables = [
    await waitingApprovals(db, by),
    await heldWithdrawals(db),
    await openDisputes(db),
    ...(withChecks ? [await differingChecks(db)] : []),
  ];
  const kept = tables.filter((block) => block.kind === "table" && block.rows.length > 0);
  return reportBlocks({ waiting: kept }, kept.length === 0 ? [words("Nothing waits.")] : kept);
}
