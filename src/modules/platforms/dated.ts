/** Values that change on a day: each holds from its moment until the next one's. */

import assert from "node:assert/strict";

export interface Version<Value> {
  /** The first moment at which it holds. */
  readonly validFrom: Date;
  readonly value: Value;
}

/**
 * A lookup over the versions, oldest first. Asking for a time before the first is a mistake of
 * ours, not of a caller: nothing we keep is older.
 */
export function dated<Value>(versions: readonly Version<Value>[]): (at: Date) => Value {
  for (const [index, { validFrom }] of versions.entries()) {
    const before = versions[index - 1];
    assert(!Number.isNaN(validFrom.getTime()), "a version begins at a time that exists");
    assert(before === undefined || before.validFrom < validFrom, "versions stand oldest first");
  }
  return (at) => {
    const version = versions.findLast(({ validFrom }) => validFrom <= at);
    assert(version !== undefined, `nothing is valid yet at ${at.toISOString()}`);
    return version.value;
  };
}
