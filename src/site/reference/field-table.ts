/** Fields of a request or an answer as a table, those of inner objects by their whole names. */

import { type Html, html, trusted } from "../../kit/html.ts";
import type { ReadDocument, Schema } from "./openapi-reader.ts";

const DEPTH_MAX = 4;

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
}

export function fieldsOf(
  { resolve }: Pick<ReadDocument, "resolve">,
  schema: Schema,
  { within = "", depth = 0 }: { readonly within?: string; readonly depth?: number } = {},
): Field[] {
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties).flatMap(([name, given]) => {
    const field = resolve(given);
    const whole = within + name;
    const line = {
      name: whole,
      type: typeWords({ resolve }, field),
      isRequired: required.includes(name),
      about: given.description ?? field.description ?? "",
    };
    if (depth >= DEPTH_MAX) return [line];
    const inner = innerOf({ resolve }, field);
    const isList = resolve(field).items !== undefined;
    const more = { within: `${whole}${isList ? "[]" : ""}.`, depth: depth + 1 };
    return [line, ...(inner === undefined ? [] : fieldsOf({ resolve }, inner, more))];
  });
}

/** The object that has fields of its own, behind a list or beside null. */
function innerOf({ resolve }: Pick<ReadDocument, "resolve">, field: Schema): Schema | undefined {
  const candidates = [field, field.items, ...(field.anyOf ?? []), ...(field.oneOf ?? [])];
  return candidates
    .filter((one) => one !== undefined)
    .map((one) => resolve(one))
    .find(({ properties }) => properties !== undefined);
}

const WORDS: Readonly<Record<string, string>> = { string: "text", integer: "whole number" };

function typeWords({ resolve }: Pick<ReadDocument, "resolve">, schema: Schema): string {
  const { type, enum: values, const: value, items, oneOf, anyOf, format } = schema;
  const choices = oneOf ?? anyOf;
  if (choices !== undefined)
    return [...new Set(choices.map((one) => typeWords({ resolve }, resolve(one))))].join(" or ");
  if (values !== undefined) return values.map((each) => `\`${each}\``).join(" ");
  if (value !== undefined) return `\`${value}\``;
  if (items !== undefined) return `list of ${typeWords({ resolve }, resolve(items))}`;
  const names = [type ?? "anything"].flat().map((name) => WORDS[name] ?? name);
  return format === undefined ? names.join(" or ") : `${names.join(" or ")} (${format})`;
}

export function fieldTable(fields: readonly Field[], caption: string): Html {
  const rows = fields.map(
    ({ name, type, isRequired, about }) =>
      html`<tr><td><code>${name}</code>${
        isRequired && html` <span class="needed">required</span>`
      }</td><td class="type">${withCode(type)}</td><td>${withCode(about)}</td></tr>\n`,
  );
  return html`<div class="wide" tabindex="0"><table class="fields"><caption>${caption}</caption>
<thead><tr><th>Field</th><th>Type</th><th>What it is</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** Backticks mark code, and `[words](/path)` is a link. */
export function withCode(text: string): Html {
  const escaped = html`${text}`.toString();
  return trusted(
    escaped
      .replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, '<a href="$2">$1</a>'),
  );
}
