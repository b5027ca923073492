/**
 * What every command that talks to the service is given: where the service is, with which key, and
 * how to print. Decision 0107: where the key comes from.
 */

import process from "node:process";
import { type Command, Option } from "commander";
import { type Api, createApi, type Json } from "./api.ts";
import { jsonForTerminal, textForTerminal } from "./for-terminal.ts";
import { loginUrls, readLogin } from "./logins.ts";
import { ownerApi } from "./owner-api.ts";
import { type Paint, paintFor } from "./paint.ts";
import { readAddress } from "./read-address.ts";
import { ToolError, toolErrorOf, WrongUsage } from "./tool-error.ts";

const DEFAULT_URL = "http://localhost:3000";
export const API_KEY = /^svc_(test|live)_\w+$/;

export interface ToolContext {
  /** Without a slash at its end. */
  readonly url: string;
  /** Whether `--json` was given: then data goes to standard output, and nothing else. */
  readonly json: boolean;
  readonly colour: Paint;
  /** Throws, saying how to get one, when there is none. */
  key(): Promise<string>;
  api(): Promise<Api>;
  /** With the owner's sign-in, for the few calls that take no API key. */
  ownerApi(): Promise<Api>;
  /** A line on standard output. */
  print(line: string): void;
  /** A line on standard error: progress and hints. Nothing with `--json`. */
  note(line: string): void;
  /** The data with `--json`, else the text. */
  show(data: unknown, text: () => string): void;
}

interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** The options that every command takes which talks to the service. */
export function withConnection(command: Command): Command {
  return command
    .addOption(new Option("--url <url>", `the service; else WINDWARD_URL, else ${DEFAULT_URL}`))
    .addOption(new Option("--key <key>", "an API key; else WINDWARD_KEY, else that of login"))
    .addOption(new Option("--json", "print data instead of text"));
}

/** An action: what it throws is printed with what to do next, and decides the exit code. */
export function act<Options extends object>(
  run: (context: ToolContext, options: Options, ...args: string[]) => Promise<unknown>,
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.pop() as Command;
    const options = args.pop() as Options;
    const { json = false, url = "" } = optionsOf(command);
    try {
      const code = await run(contextOf(command), options, ...(args as string[]));
      if (typeof code === "number") process.exitCode = code;
    } catch (error) {
      process.exitCode = printError(toolErrorOf(error, url), { json });
    }
  };
}

function contextOf(command: Command): ToolContext {
  const options = optionsOf(command);
  const url = urlOf(options.url);
  const json = options.json === true;
  const print = (line: string) =>
    void process.stdout.write(`${(json ? jsonForTerminal : textForTerminal)(line)}\n`);
  const key = () => keyOf(options.key, url);
  return {
    url,
    json,
    colour: paintFor(process.stdout),
    key,
    api: async () => createApi({ baseUrl: url, apiKey: await key(), retries: 1 }),
    ownerApi: () => ownerApi(url),
    print,
    note: (line) => void (json || process.stderr.write(`${textForTerminal(line)}\n`)),
    show: (data, text) => print(json ? JSON.stringify(data, null, 2) : text()),
  };
}

/** Options may stand before the command's name, too; what stands behind it wins. */
function optionsOf(command: Command): ConnectionOptions {
  const { WINDWARD_URL: url = "" } = process.env;
  const outer = command.parent === null ? { url } : optionsOf(command.parent);
  return { ...outer, ...command.opts() };
}

function urlOf(typed: string | undefined): string {
  const text = (typed ?? "") === "" ? DEFAULT_URL : String(typed);
  readAddress(text, { name: "--url or WINDWARD_URL", example: DEFAULT_URL });
  return text.replace(/\/+$/, "");
}

async function keyOf(typed: string | undefined, url: string): Promise<string> {
  const variable = process.env.WINDWARD_KEY ?? "";
  const given = typed ?? (variable === "" ? undefined : variable);
  if (given !== undefined) {
    if (API_KEY.test(given)) return given;
    const source = typed === undefined ? "WINDWARD_KEY" : "--key";
    throw new WrongUsage(
      `${source} is not an API key.`,
      "An API key begins with svc_test_ or svc_live_. A signing secret belongs into " +
        "WINDWARD_SIGNING_SECRET.",
    );
  }
  const login = await readLogin(url);
  if (login !== undefined) return login.key;
  const [other, ...more] = await loginUrls();
  throw new ToolError(
    `You are not signed in to ${url}.`,
    other === undefined || more.length > 0
      ? "Run npx windward login, or give an API key in WINDWARD_KEY."
      : `You are signed in to ${other}: add --url ${other}, or set WINDWARD_URL to it.`,
  );
}

/** `who` is what `GET /auth/whoami` says. */
export function demandSandbox({ environments }: Json, reason: string): void {
  if (environments.includes("sandbox")) return;
  throw new ToolError(
    `This is a live key: ${reason}.`,
    "Use a key of the sandbox, svc_test_…, or npx windward login.",
  );
}

/** Returns the exit code. */
export function printError(error: ToolError, { json = false }: { json?: boolean } = {}): number {
  const { message, next, exitCode } = error;
  const { bad } = paintFor(process.stderr);
  const text = json
    ? jsonForTerminal(JSON.stringify({ error: message, next }))
    : textForTerminal(`${bad(message)}\n${next}`);
  process.stderr.write(`${text}\n`);
  return exitCode;
}
