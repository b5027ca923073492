/**
 * How a tool is asked: its options, `--help`, and one sentence with exit code 2 for what it does
 * not understand. Nothing has been started by then, so this comes first.
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { Mistake, type Option } from "./options.ts";

// biome-ignore lint/suspicious/noExplicitAny: each option has a type of its own
type Options = Readonly<Record<string, Option<any>>>;

const COLUMNS = 92;

export interface Command<O extends Options> {
  /** As package.json calls it. */
  readonly name: string;
  readonly about: string;
  /** How long it takes. */
  readonly takes: string;
  readonly options: O;
  /** Throws a `Mistake` where options do not go together. */
  demandFit?(values: Values<O>): void;
}

type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never;
};

export type Understood<O extends Options> =
  | { readonly values: Values<O> }
  | { readonly help: string }
  | { readonly mistake: string };

/** The values; or the process has ended, with the help or with a sentence. */
export function readCommand<O extends Options>(command: Command<O>): Values<O> {
  const understood = understand(command, process.argv.slice(2));
  if ("values" in understood) return understood.values;
  if ("help" in understood) {
    process.stdout.write(understood.help);
    process.exit(0);
  }
  process.stderr.write(`${understood.mistake}\n`);
  process.exit(2);
}

export function understand<O extends Options>(
  command: Command<O>,
  args: readonly string[],
): Understood<O> {
  const { name, options } = command;
  // Not strict, because Node's own sentences tell of quoting and not of this tool.
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { value }]) => [
        option,
        { type: value === undefined ? "boolean" : "string" },
      ]),
    ),
  });
  const given = new Map<string, string[]>(Object.keys(options).map((option) => [option, []]));
  const more = `npm run ${name} -- --help tells what there is.`;
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional")
      return { mistake: `"${token.value}" belongs to no option; ${more}` };
    if (token.name === "help" || token.rawName === "-h") return { help: helpOf(command) };
    const texts = given.get(token.name);
    if (texts === undefined) return { mistake: `There is no ${token.rawName}; ${more}` };
    texts.push(token.value ?? "");
  }
  try {
    const read = Object.entries(options).map(([option, { read }]) => [
      option,
      read(option, given.get(option) ?? []),
    ]);
    const values: Values<O> = Object.fromEntries(read);
    command.demandFit?.(values);
    return { values };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { mistake: error.message };
  }
}

function helpOf({ name, about, takes, options }: Command<Options>): string {
  const rows = Object.entries(options).map(([option, { value, about, byDefault }]) => ({
    left: `--${option}${value === undefined ? "" : ` ${value}`}`,
    right: byDefault === undefined ? about : `${about} (default ${byDefault})`,
  }));
  rows.push({ left: "--help", right: "this text" });
  const width = Math.max(...rows.map(({ left }) => left.length));
  const lines = rows.map(({ left, right }) => {
    return `  ${left.padEnd(width)}  ${wrap(right, width + 4)}`;
  });
  const end = "Ctrl-C stops it and leaves nothing behind; a second one does not wait.";
  const usage = `npm run ${name} -- [options]`;
  return `${usage}\n\n${wrap(about, 0)}\n\n${lines.join("\n")}\n\n${takes}\n${end}\n`;
}

/** Lines that a terminal holds, each after the first behind so many blanks. */
function wrap(text: string, blanks: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length + blanks <= COLUMNS) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(blanks)}`);
}
