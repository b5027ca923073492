/**
 * Fields that belong to some choices of an earlier field. With any other choice they are ignored,
 * so that a request may contain more than its choice needs.
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
