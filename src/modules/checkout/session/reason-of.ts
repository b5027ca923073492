/**
 * The kind of an error, for the log. Not its words and not its cause: a gateway's library may have
 * put what it was sent into them, and the security code of a card looks like any three digits.
 */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}
