/**
 * Schemas for the parts of answers, each with a description and an example. OpenAPI makes the
 * example of a whole answer from those of its parts, so no body is written twice (Decision 0050).
 */

import { type JsonSchema, Type } from "./schema.ts";

/** Values of the demo world, and ids in the service's own format. */
export const EXAMPLE = {
  accountNumber: "1234567890",
  transactionId: "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
  uuid: "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
  kid: "0f3a9c5e7b1d2468ac",
  eventId: "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
  moment: "2026-11-15T14:03:07.412Z",
} as const;

export function textSchema(about: string, example: string, rules: object = {}) {
  return Type.String({ ...rules, description: about, examples: [example] });
}

export function wordSchema(words: readonly string[], about: string, example = words[0]) {
  return Type.String({ enum: words, description: about, examples: [example] });
}

export function textsSchema(about: string, example: readonly string[]) {
  return Type.Array(Type.String(), { description: about, examples: [example] });
}

export function flagSchema(about: string, example: boolean) {
  return Type.Boolean({ description: about, examples: [example] });
}

export function countSchema(about: string, example: number, rules: object = { minimum: 0 }) {
  return Type.Integer({ ...rules, description: about, examples: [example] });
}

export function timestampSchema(about: string, example: string = EXAMPLE.moment) {
  return textSchema(about, example, { format: "date-time" });
}

export function uuidSchema(about: string) {
  return textSchema(about, EXAMPLE.uuid, { format: "uuid" });
}

/** A non-negative amount in the format of `formatMoney`. */
export function amountSchema(about: string, example: string) {
  return textSchema(about, example, { pattern: "^\\d+\\.\\d{2}$" });
}

export function transactionIdSchema(about: string) {
  return textSchema(about, EXAMPLE.transactionId);
}

/** The schema or null; `null` as the example where that is the usual value. */
export function orNull(schema: JsonSchema, example?: null) {
  const { description, examples } = schema as { description?: string; examples?: unknown[] };
  const shown = example === null ? [null] : examples;
  return Type.Union([schema, Type.Null()], {
    ...(description === undefined ? {} : { description }),
    ...(shown === undefined ? {} : { examples: shown }),
  });
}

/** 10,000. Not by Intl, because the first use of ICU takes 30 ms of every start. */
export function withCommas(count: number): string {
  return String(count).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
}

/** The `message` of every success. */
export function said(word: string) {
  return Type.Literal(word, { description: "That it was done." });
}

/** A success with nothing but its message. */
export function saidOnly(word = "OK") {
  return Type.Object({ message: said(word) });
}

/** With fields of its own beside the message. */
export function saidBeside(fields: Readonly<Record<string, JsonSchema>>, word = "OK") {
  return Type.Object({ message: said(word), ...fields });
}

export function saidWith(data: JsonSchema, word = "OK") {
  const { title, description = "What was asked for." } = data as Record<string, unknown>;
  // A titled schema has its description under its title.
  const shown = title === undefined ? { ...data, description } : data;
  return Type.Object({ message: said(word), data: shown });
}
