/** Help, made from the commands themselves. */

import type { Command } from "./command.ts";
import { fieldsOf, isSwitch, optionOf } from "./read-arguments.ts";

const RUN = "npm run operator --";
const EXAMPLE_SIGNATURE = '--by "D. Joseph" --why "ticket 4711"';

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const list = (kind: Command["kind"]) =>
    commands
      .filter((command) => command.kind === kind)
      .map(({ name, about }) => `  ${name.padEnd(width)}${about}`);
  return [
    `Usage: ${RUN} <command> …`,
    "",
    "Look:",
    ...list("read"),
    "",
    "Act (each demands --by <name> and --why <reason>, and is written into the audit trail):",
    ...list("action"),
    "",
    `${RUN} <command> --help tells more. With --json the answer is for scripts.`,
    "Exit codes: 0 done, 1 refused or not as it should be, 2 called wrongly.",
  ].join("\n");
}

export function helpOf(command: Command): string {
  const fields = fieldsOf(command);
  const entries = Object.keys(fields).map((name) => [
    formOf(command, name),
    String(fields[name]?.schema.description ?? ""),
  ]);
  entries.push(["--json", "The answer as JSON, for scripts."]);
  const width = Math.max(...entries.map(([form = ""]) => form.length)) + 2;
  return [
    `${command.name}: ${command.about}.`,
    ...(command.more === undefined ? [] : ["", command.more]),
    "",
    `Usage: ${usageOf(command)}`,
    "",
    ...entries.map(([form = "", about = ""]) => `  ${form.padEnd(width)}${about}`),
    "",
    "Example:",
    exampleOf(command),
    command.example.shows,
  ].join("\n");
}

export function usageOf(command: Command): string {
  const fields = fieldsOf(command);
  const { exactlyOne = [] } = command;
  const words = Object.keys(fields)
    .filter((name) => !exactlyOne.includes(name))
    .map((name) => {
      const form = formOf(command, name);
      return fields[name]?.required ? form : `[${form}]`;
    });
  const choice = exactlyOne.map((name) => formOf(command, name)).join(" | ");
  const all = choice === "" ? words : [...words, `(${choice})`];
  return [RUN, command.name, ...all, "[--json]"].join(" ");
}

export function exampleOf({ name, kind, example }: Command): string {
  const words = [RUN, name, example.given, kind === "action" ? EXAMPLE_SIGNATURE : ""];
  return words.filter((word) => word !== "").join(" ");
}

function formOf(command: Command, name: string): string {
  const fields = fieldsOf(command);
  const { title } = fields[name]?.schema ?? {};
  if (name === command.subject) return `<${title}>`;
  const option = `--${optionOf(name)}`;
  if (isSwitch(fields, name)) return option;
  // A list of words is what may be typed; anything else stands for it.
  return String(title).includes("|") ? `${option} ${title}` : `${option} <${title}>`;
}
