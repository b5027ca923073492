/**
 * What the callers of the drill know: each answer with its moment, and what was acknowledged. It is
 * kept on the callers' side alone, so that it can bear witness against the service.
 */

export type Operation = "payment request" | "checkout" | "refund" | "withdrawal";

export interface Acknowledged {
  readonly operation: Operation;
  /** How the caller named it: the order's id, or its Idempotency-Key. */
  readonly name: string;
  /** The id that the answer gave it; a payment request is known by its order. */
  readonly id: string;
  readonly at: number;
}

export interface Answer {
  /** 0 where none came. */
  readonly status: number;
  readonly tookMs: number;
  readonly at: number;
}

export class Diary {
  readonly acknowledged: Acknowledged[] = [];
  readonly answers: Answer[] = [];
  /** Everything that was asked for, acknowledged or not, and when it first was. */
  readonly asked = new Map<Operation, Map<string, number>>();

  ask(operation: Operation, name: string): void {
    const names = this.asked.get(operation) ?? new Map<string, number>();
    this.asked.set(operation, names.set(name, performance.now()));
  }

  acknowledge(entry: Omit<Acknowledged, "at">): void {
    this.acknowledged.push({ ...entry, at: performance.now() });
  }

  answer(status: number, beganAt: number): void {
    const at = performance.now();
    this.answers.push({ status, tookMs: at - beganAt, at });
  }

  /** What was both asked for and acknowledged after this moment. */
  begunSince(moment: number): readonly Acknowledged[] {
    return this.acknowledged.filter(
      ({ operation, name }) => (this.asked.get(operation)?.get(name) ?? 0) > moment,
    );
  }

  since(moment: number, until = Number.POSITIVE_INFINITY): readonly Answer[] {
    return this.answers.filter(({ at }) => at >= moment && at < until);
  }

  /** The longest time without anything acknowledged between these moments, from the last before. */
  longestSilence(from: number, until: number): number {
    const before = this.acknowledged.findLast(({ at }) => at <= from)?.at ?? from;
    const within = this.acknowledged.map(({ at }) => at).filter((at) => at > from && at < until);
    const moments = [before, ...within, until];
    return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
  }

  /** Asked for and never acknowledged, by name. */
  unanswered(): readonly string[] {
    const told = new Set(this.acknowledged.map(({ operation, name }) => `${operation} ${name}`));
    return [...this.asked].flatMap(([operation, names]) =>
      [...names.keys()].map((name) => `${operation} ${name}`).filter((one) => !told.has(one)),
    );
  }

  /** How long around this moment nothing was acknowledged to anybody. */
  silenceAround(moment: number): number {
    const before = this.acknowledged.findLast(({ at }) => at <= moment)?.at ?? moment;
    const after = this.acknowledged.find(({ at }) => at > moment)?.at ?? performance.now();
    return after - before;
  }
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

/** `201 × 14, 503 × 3`; an answer that never came is called so. */
export function countStatuses(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status } of answers) {
    const name = status === 0 ? "no answer" : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted()
    .map(([name, count]) => `${name} × ${count}`)
    .join(", ");
}
