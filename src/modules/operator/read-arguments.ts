/**
 * Parses the words after `npm run operator --` by the command's own fields.
 *
 * A command that is called wrongly is `WrongUsage` (exit code 2); a value that breaks its rule is a
 * `FieldRefused`, as in a request (exit code 1). Both come before anything is read or done.
 */

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { readFields, type Shape, type Values } from "../../kit/fields/field.ts";
import type { Command, Signature } from "./command.ts";
import { signatureFields } from "./fields.ts";

export class WrongUsage extends Error {}

export interface Arguments {
  readonly input: Values<Shape>;
  /** Of an action; a read is not signed. */
  readonly signature: Signature;
  readonly json: boolean;
}

const UNSIGNED: Signature = { by: "", why: "" };

export function readArguments(command: Command, args: readonly string[]): Arguments {
  const fields = fieldsOf(command);
  const { values, positionals } = parse(fields, command, args);
  const raw: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) raw[name] = values[optionOf(name)];
  if (command.subject !== undefined) raw[command.subject] = positionals[0];
  const extra = positionals[command.subject === undefined ? 0 : 1];
  if (extra !== undefined) throw new WrongUsage(`${command.name} does not take "${extra}".`);
  demandAll(command, fields, raw);
  demandNoneEmpty(raw);
  const signature = command.kind === "action" ? readNamed(signatureFields, raw) : UNSIGNED;
  return {
    input: readNamed(command.fields, raw, command.subject),
    signature,
    json: values.json === true,
  };
}

/** A refusal names what was typed: `--since`, not "the since". */
function readNamed<S extends Shape>(
  fields: S,
  raw: Readonly<Record<string, unknown>>,
  subject?: string,
): Values<S> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const typed = name === subject ? name : `--${optionOf(name)}`;
    return [name, readFields({ [typed]: field }, { [typed]: raw[name] })[typed]];
  });
  return Object.fromEntries(entries);
}

/** An unset variable of a shell must not mean "all that is left". */
function demandNoneEmpty(raw: Record<string, unknown>): void {
  const empty = Object.keys(raw).find((name) => raw[name] === "");
  if (empty !== undefined) throw new WrongUsage(`--${optionOf(empty)} has no value.`);
}

export function fieldsOf(command: Command): Shape {
  return command.kind === "action" ? { ...command.fields, ...signatureFields } : command.fields;
}

/** `first_name` is `--first-name`. */
export function optionOf(name: string): string {
  return name.replaceAll("_", "-");
}

export function isSwitch(fields: Shape, name: string): boolean {
  return fields[name]?.schema.type === "boolean";
}

function parse(fields: Shape, command: Command, args: readonly string[]) {
  const options: ParseArgsOptionsConfig = { json: { type: "boolean" } };
  for (const name of Object.keys(fields))
    if (name !== command.subject)
      options[optionOf(name)] = { type: isSwitch(fields, name) ? "boolean" : "string" };
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const seen = new Set<string>();
    for (const token of parsed.tokens) {
      if (token.kind !== "option") continue;
      if (seen.has(token.name)) throw new WrongUsage(`--${token.name} is given twice.`);
      seen.add(token.name);
    }
    return parsed;
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("ERR_PARSE_ARGS")) throw error;
    if (message.includes("ambiguous"))
      throw new WrongUsage("Write a value that begins with a dash with =, as in --why=-5.");
    // The sentences after the first are about quoting, and help nobody here.
    throw new WrongUsage(`${message.split(/[.\n]/, 1)[0]}.`);
  }
}

function demandAll(command: Command, fields: Shape, raw: Record<string, unknown>): void {
  const isMissing = (name: string) => raw[name] === undefined || raw[name] === "";
  const missing = Object.keys(fields)
    .filter((name) => fields[name]?.required && isMissing(name))
    .map((name) => (name === command.subject ? `<${name}>` : `--${optionOf(name)}`));
  const { exactlyOne } = command;
  if (exactlyOne !== undefined && exactlyOne.filter((name) => raw[name] !== undefined).length !== 1)
    missing.push(`one of ${exactlyOne.map((name) => `--${optionOf(name)}`).join(" and ")}`);
  if (missing.length > 0) throw new WrongUsage(`${command.name} needs ${missing.join(", ")}.`);
}
