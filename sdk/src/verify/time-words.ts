/** How far two clocks are apart, and which way, in words. */

import { type Mistake, mistake } from "./explanation.ts";

/** Undefined when the time is near enough. */
export function clockMistake(
  signedAt: number,
  now: number,
  toleranceSeconds: number,
): Mistake | undefined {
  const age = now - signedAt;
  if (Math.abs(age) <= toleranceSeconds) return undefined;
  const far = spanOf(Math.abs(age));
  const limit = spanOf(toleranceSeconds);
  if (age > 0) {
    const says = `It was signed ${far} ago by your clock; ${limit} are allowed.`;
    const instead =
      "If it just came, your clock is ahead by that: set it by NTP. If it is from a log, it is " +
      "old and rightly refused: give the time at which it came.";
    return mistake("too_old", says, instead);
  }
  const says = `It was signed ${far} from now by your clock; ${limit} are allowed.`;
  return mistake("too_new", says, "Your clock is behind by that: set it by NTP.");
}

const UNITS: readonly [name: string, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** The two largest units: 7 minutes 3 seconds. */
function spanOf(seconds: number): string {
  let left = Math.round(seconds);
  const parts = UNITS.map(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? "" : `${count} ${name}${count === 1 ? "" : "s"}`;
  });
  return (
    parts
      .filter((part) => part !== "")
      .slice(0, 2)
      .join(" ") || "0 seconds"
  );
}
