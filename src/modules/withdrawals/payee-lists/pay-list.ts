/**
 * Pays a list of payees: a withdrawal for every line, all in one tx, or none (Decision 0091). The
 * list's row is locked and marked as paid in the same tx, so that it is paid once.
 */

import { recordAudit } from "../../../infra/audit.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { Caller } from "../../../infra/http/caller.ts";
import { ServiceError } from "../../../kit/errors.ts";
import { platformOf } from "../../platforms/platform.ts";
import type { WithdrawalsContext } from "../context.ts";
import { createWithdrawals } from "../create-withdrawal.ts";
import type { WithdrawalValues } from "../withdrawal-fields.ts";
import { lockList, markPaid, type WantedList } from "./payee-list.ts";
import { type PayeeLine, requestOf } from "./read-list.ts";

/** The refusal of one line is that of the whole list. */
class LineRefused extends ServiceError {
  constructor({ number }: PayeeLine, cause: ServiceError) {
    const message = `Line ${number}: ${cause.message} Nothing of the list was paid.`;
    super(cause.code, { message, cause });
  }
}

export async function payList(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  wanted: WantedList,
): Promise<void> {
  const { isPaid, lines } = await lockList(ctx.config, tx, wanted);
  if (isPaid) return;
  await createWithdrawals(ctx, tx, caller, {
    requests: requestsOf(lines, caller, wanted),
    shortAt(place, short) {
      const line = lines[place];
      return line === undefined ? short : new LineRefused(line, short);
    },
  });
  await markPaid(tx, wanted);
  await recordAudit(tx, caller, "payee_list_paid", {
    detail: { list_id: wanted.listId, lines: lines.length },
  });
}

function requestsOf(
  lines: readonly PayeeLine[],
  { countryCode }: Caller,
  { environment }: WantedList,
): readonly WithdrawalValues[] {
  const platform = platformOf(countryCode);
  return lines.map((line) => {
    try {
      return requestOf(line, platform, environment);
    } catch (error) {
      throw error instanceof ServiceError ? new LineRefused(line, error) : error;
    }
  });
}
