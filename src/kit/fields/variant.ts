/**
 * Fields that belong to some choices of an earlier field: there they are what they are, elsewhere
 * they are never looked at, so that a request may carry more than its choice asks for.
 */

import type { Field } from "./field.ts";

export function onlyWith<T>(
  of: string,
  choices: readonly string[],
  inner: Field<T>,
): Field<T | undefined> {
  const isMeant = (earlier: Readonly<Record<string, unknown>> | undefined) =>
    choices.includes(String(earlier?.[of]));
  return {
    ...inner,
    required: false,
    variant: { of, choices, isRequired: inner.required },
    read: (value, name, earlier) =>
      isMeant(earlier) ? inner.read(value, name, earlier) : undefined,
    absent: (name, earlier) => (isMeant(earlier) ? inner.absent(name, earlier) : undefined),
  };
}
