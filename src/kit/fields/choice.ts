/** Fields that take one of a few words, or a list of words. */

import { FieldRefused } from "../errors.ts";
import { type Field, field, labelOf } from "./field.ts";
import { asText } from "./text.ts";

const LIST_TEXT_LENGTH_MAX = 4096;

export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word> {
  return field({ type: "string", enum: words }, (value, name) => {
    const given = asText(value, name);
    if (!words.includes(given as Word))
      throw new FieldRefused(mustBeOneOf(name, words), { code: "field_not_allowed" });
    return given as Word;
  });
}

/** For words that are fewer than those of the schema, so that the hint must not come from there. */
export function notOneOf(name: string, words: readonly string[]): FieldRefused {
  return new FieldRefused(mustBeOneOf(name, words), {
    code: "field_not_allowed",
    field: name,
    hint: `Send ${name} as one of ${words.join(", ")}.`,
  });
}

function mustBeOneOf(name: string, words: readonly string[]): string {
  return `The ${labelOf(name)} must be one of: ${words.join(", ")}.`;
}

/** Any of the words, each given by the name once more: `status=a&status=b`. */
export function anyOf<const Word extends string>(words: readonly Word[]): Field<readonly Word[]> {
  const one = oneOf(words);
  const schema = { type: "array", items: one.schema };
  return {
    ...field(schema, (value, name) => {
      const given = (Array.isArray(value) ? value : [value]).filter((word) => word !== "");
      return [...new Set(given.map((word) => one.read(word, name)))];
    }),
    repeatable: true,
  };
}

/**
 * Words given as a JSON array or as one text with separators, so that a form can send them too.
 * What a word means, and that one is wrong, is told by `readWord` (undefined = wrong). Repeated
 * words are folded.
 */
export function wordList<Word>(rules: {
  separator: RegExp;
  readWord: (word: string) => Word | undefined;
  min?: number;
  max: number;
  schema: Readonly<Record<string, unknown>>;
}): Field<readonly Word[]> {
  return field(rules.schema, (value, name) => {
    const invalid = new FieldRefused(`The ${labelOf(name)} field has invalid values.`, {
      code: "field_not_allowed",
    });
    const given = Array.isArray(value) ? value : splitText(asText(value, name), rules.separator);
    if (given === undefined || given.length > rules.max) throw invalid;
    if (given.length < (rules.min ?? 0)) throw invalid;
    const words = given.map((word) =>
      typeof word === "string" ? rules.readWord(word) : undefined,
    );
    if (words.some((word) => word === undefined)) throw invalid;
    return [...new Set(words as Word[])];
  });
}

function splitText(given: string, separator: RegExp): string[] | undefined {
  if (given.length > LIST_TEXT_LENGTH_MAX) return undefined;
  return given.split(separator).filter((word) => word !== "");
}
