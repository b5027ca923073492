/** What there is to choose from where a platform asks for the kind of account and the branch. */

import { BANK_ACCOUNT_TYPES } from "../../modules/platforms/banks.ts";
import type { Platform } from "../../modules/platforms/platform.ts";
import type { Choice } from "../../parts/field.ts";

export function kindChoices(): readonly Choice[] {
  return BANK_ACCOUNT_TYPES.map((value) => ({
    value,
    text: value === "chequing" ? "Chequing" : "Savings",
  }));
}

/** Those of all banks, each with its banks: without scripts the bank may still change. */
export function branchChoices({ banks }: Platform): readonly Choice[] {
  const names = new Map<string, string[]>();
  for (const { displayName, branches = [] } of banks)
    for (const branch of branches) names.set(branch, [...(names.get(branch) ?? []), displayName]);
  return [...names]
    .map(([value, at]) => ({ value, text: `${value} (${at.join(", ")})` }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
}
