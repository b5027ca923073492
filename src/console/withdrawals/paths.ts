/** Where the pages about withdrawals are. */

import type { BankType } from "../../modules/user/bank.ts";

export const WITHDRAWALS = "/console/withdrawals";
export const WITHDRAW = `${WITHDRAWALS}/new`;
export const PAY = `${WITHDRAWALS}/pay`;
export const LISTS = `${WITHDRAWALS}/payees`;
export const TEMPLATE = `${LISTS}/template.csv`;

export function bankPath(type: BankType): string {
  return `${WITHDRAWALS}/banks/${type}`;
}
