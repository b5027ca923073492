/** Values that change on a date: each is valid until the next one starts. */

import assert from "node:assert/strict";

export interface Version<Value> {
  readonly validFrom: Date;
  readonly value: Value;
}

/**
 * A lookup over the versions, oldest first. No stored record is older than the first version, so a
 * lookup before it is a bug.
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
