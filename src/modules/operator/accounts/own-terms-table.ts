/** An account's own limits and fees as tables: those to come, those that hold, and earlier ones. */

import type { Queryable } from "../../../infra/db/query.ts";
import { type Currency, formatMoney, money } from "../../../kit/money.ts";
import {
  listOwnTerms,
  type OwnFeesRow,
  type OwnLimitsRow,
  readTermsNow,
} from "../../accounts/own-terms.ts";
import { bareAmountIn } from "../amount-cell.ts";
import { type Block, tableBlock } from "../render.ts";

const ROWS_MAX = 50;

type State = "now" | "later" | "over";

export async function readOwnTermsTables(
  db: Queryable,
  payee: Parameters<typeof readTermsNow>[1],
): Promise<{ data: Readonly<Record<string, unknown>>; blocks: readonly Block[] }> {
  const { at } = await readTermsNow(db, payee);
  const rows = await listOwnTerms(db, payee.accountNumber, ROWS_MAX);
  const limits = withStates(rows.limits, at, ({ currency }) => currency).map(viewLimits);
  const fees = withStates(rows.fees, at, () => "").map(viewFees);
  return {
    data: { limits, fees },
    blocks: [
      tableBlock("Limits of its own", limits, {
        currency: "currency",
        minimum: ({ currency, minimum }) => ownOrPlatforms(currency, minimum),
        maximum: ({ currency, maximum }) => ownOrPlatforms(currency, maximum),
        from: "from",
        state: "state",
      }),
      tableBlock("Fees of its own", fees, {
        percentage: ({ percentage }) => percentage ?? "platform's",
        "fixed in USD": ({ fixed }) => ownOrPlatforms("USD", fixed),
        from: "from",
        state: "state",
      }),
    ],
  };
}

function ownOrPlatforms(currency: Currency, amount: string | null) {
  return amount === null ? "platform's" : bareAmountIn(currency, amount);
}

/** Of rows newest first: of each kind, the first that has begun holds. */
function withStates<R extends { readonly valid_from: Date }>(
  rows: readonly R[],
  at: Date,
  kindOf: (row: R) => string,
): (R & { state: State })[] {
  const held = new Set<string>();
  const replaced = new Set<string>();
  return rows.map((row) => {
    const kind = kindOf(row);
    const moment = `${kind} ${row.valid_from.toISOString()}`;
    const isReplaced = replaced.has(moment);
    replaced.add(moment);
    if (row.valid_from > at) return { ...row, state: isReplaced ? "over" : "later" };
    const isFirst = !held.has(kind);
    held.add(kind);
    return { ...row, state: isFirst ? "now" : "over" };
  });
}

function viewLimits(row: OwnLimitsRow & { state: State }) {
  const { currency, minimum_minor: minimum, maximum_minor: maximum, valid_from, state } = row;
  const shown = (minor: bigint | null) =>
    minor === null ? null : formatMoney(money(currency, minor));
  return { currency, minimum: shown(minimum), maximum: shown(maximum), from: valid_from, state };
}

function viewFees(row: OwnFeesRow & { state: State }) {
  const { percentage_basis_points: percentage, fixed_cents: fixed, valid_from, state } = row;
  return {
    percentage: percentage === null ? null : describePercentage(BigInt(percentage)),
    fixed: fixed === null ? null : formatMoney(money("USD", BigInt(fixed))),
    from: valid_from,
    state,
  };
}

/** Hundredths of a percent as percent: "2.75". */
export function describePercentage(basisPoints: bigint): string {
  return `${basisPoints / 100n}.${String(basisPoints % 100n).padStart(2, "0")}`;
}
