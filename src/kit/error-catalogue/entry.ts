/** What the catalogue says about one error code. */

export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  /** What happened. */
  readonly statement: string;
  /** What to do about it, where the refusal itself knows nothing more specific. */
  readonly hint: string;
  /** The message, where the refusal gives none of its own; else one as callers read it. */
  readonly example: string;
  /** The field that the example is about. */
  readonly field?: string;
  /** Members that the default body has beside `message`. */
  readonly extra?: Readonly<Record<string, string>>;
  /**
   * Absent: the routes that answer with it list it. `server`: answered before a route is chosen.
   * `page`: only by pages for browsers, which are not in the reference.
   */
  readonly origin?: "server" | "page";
}

/** Entries with the members that most of them share, which an entry may override. */
export function entries<Shared extends Partial<ErrorEntry>, Code extends string>(
  shared: Shared,
  own: Readonly<Record<Code, Omit<ErrorEntry, keyof Shared> & Partial<ErrorEntry>>>,
): Readonly<Record<Code, ErrorEntry>> {
  const whole = Object.entries(own).map(([code, entry]) => [code, { ...shared, ...Object(entry) }]);
  return Object.fromEntries(whole);
}
