/** When the money of a withdrawal comes, as far as this service knows. */

import { type Html, html } from "../../kit/html.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { WithdrawalStatus } from "../../modules/withdrawals/withdrawal.ts";
import type { Visitor } from "../visitor.ts";

const UNPAID: readonly WithdrawalStatus[] = ["pending", "processing"];

const BY_TEST_BANK = html`No real bank is connected here: a test bank pays within seconds. A real
one needs <a href="/docs/withdrawals#when-does-my-money-come">one or two bank days</a>. To see a
withdrawal held or rejected, use one of the
<a href="/docs/sandbox#withdrawals">test amounts</a>.`;

const AT_TEST_BANK = html`The test bank has the order. Say below, under Simulate…, how it ends.`;

const BY_FILES = html`Withdrawals go to the bank once each bank day. Your bank then usually needs
one or two bank days.`;

/** Before it is asked for. */
export function whenPaid({ environment, live }: Pick<Visitor, "environment" | "live">): Html {
  return environment === "sandbox" || live.paidBy === "simulator" ? BY_TEST_BANK : BY_FILES;
}

/** Undefined once it has ended, or while it is held. */
export function whenThisIsPaid(
  { live }: Visitor,
  row: { readonly environment: Environment; readonly status: WithdrawalStatus },
): Html | undefined {
  if (!UNPAID.includes(row.status)) return undefined;
  if (row.environment === "sandbox" && row.status === "processing")
    return html`<p class="soft">${AT_TEST_BANK}</p>`;
  return html`<p class="soft">${whenPaid({ environment: row.environment, live })}</p>`;
}
