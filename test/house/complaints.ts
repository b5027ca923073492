/**
 * What a house rule says about a line, and how a named exception silences it.
 *
 * An exception must still be needed: one that silences nothing is a complaint itself, so the list
 * cannot outlive its reasons.
 */

import assert from "node:assert/strict";

export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly advice: string;
}

export interface Exception {
  readonly file: string;
  readonly rule: string;
  readonly reason: string;
}

export function withoutExceptions(
  complaints: readonly Complaint[],
  exceptions: readonly Exception[],
): string[] {
  const allows = (exception: Exception, complaint: Complaint) =>
    exception.file === complaint.file && exception.rule === complaint.rule;
  const left = complaints.filter((each) => !exceptions.some((one) => allows(one, each)));
  const idle = exceptions.filter((one) => !complaints.some((each) => allows(one, each)));
  return [
    ...left.map(({ file, line, rule, advice }) => `${file}:${line} ${rule} → ${advice}`),
    ...idle.map(
      ({ file, rule }) => `The exception of ${file} from "${rule}" is not needed: drop it`,
    ),
  ];
}

/** Fails with the complaints alone, one a line: what to mend, and nothing to read past. */
export function expectNone(complaints: readonly string[]): void {
  if (complaints.length > 0) assert.fail(`\n${complaints.join("\n")}\n`);
}
