/** Fields that take one of a few words, or a list of words. */

import type { FieldRefused } from "../errors.ts";
import { type Field, field, fieldRefused } from "./field.ts";
import { asText } from "./text.ts";

const LIST_TEXT_LENGTH_MAX = 4096;

export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word> {
  return field({ type: "string", enum: words }, (value, name) => {
    const input = asText(value, name);
    if (!words.includes(input as Word))
      throw fieldRefused(name, mustBeOneOf(words), { code: "field_not_allowed" });
    return input as Word;
  });
}

/** Where fewer words are allowed than in the schema, which would give a wrong hint. */
export function notOneOf(name: string, words: readonly string[]): FieldRefused {
  return fieldRefused(name, mustBeOneOf(words), {
    code: "field_not_allowed",
    field: name,
    hint: `Send ${name} as one of ${words.join(", ")}.`,
  });
}

function mustBeOneOf(words: readonly string[]): string {
  return `must be one of: ${words.join(", ")}`;
}

/** Any of the words; several by repeating the name: `status=a&status=b`. */
export function anyOf<const Word extends string>(words: readonly Word[]): Field<readonly Word[]> {
  const one = oneOf(words);
  const schema = { type: "array", items: one.schema };
  return {
    ...field(schema, (value, name) => {
      const input = (Array.isArray(value) ? value : [value]).filter((word) => word !== "");
      return [...new Set(input.map((word) => one.read(word, name)))];
    }),
    repeatable: true,
  };
}

/**
 * Words in a JSON array, or in one text with separators, so that a form can send them too.
 * `readWord` gives the value of a word, undefined for a wrong one. Repeated words count once.
 */
export function wordList<Word>(rules: {
  separator: RegExp;
  readWord: (word: string) => Word | undefined;
  min?: number;
  max: number;
  schema: Readonly<Record<string, unknown>>;
}): Field<readonly Word[]> {
  return field(rules.schema, (value, name) => {
    const input = Array.isArray(value) ? value : splitText(asText(value, name), rules.separator);
    const isRightLength =
      input !== undefined && input.length >= (rules.min ?? 0) && input.length <= rules.max;
    const words = isRightLength
      ? input.map((word) => (typeof word === "string" ? rules.readWord(word) : undefined))
      : [undefined];
    if (words.includes(undefined))
      throw fieldRefused(name, "field has invalid values", { code: "field_not_allowed" });
    return [...new Set(words as Word[])];
  });
}

function splitText(input: string, separator: RegExp): string[] | undefined {
  if (input.length > LIST_TEXT_LENGTH_MAX) return undefined;
  return input.split(separator).filter((word) => word !== "");
}
