/** What `verify` reads besides its options: files, standard input, and secrets of both. */

import { readFile } from "node:fs/promises";
import process from "node:process";
import { API_KEY } from "../context.ts";
import { WrongUsage } from "../tool-error.ts";

export type Stdin = () => Promise<Buffer>;

/** Standard input is read once, however often it is asked for. A mistake shows the usages. */
export async function withStdin<T>(work: (stdin: Stdin) => Promise<T>, usages: string): Promise<T> {
  let content: Promise<Buffer> | undefined;
  const stdin = () => {
    content ??= process.stdin.toArray().then((parts) => Buffer.concat(parts));
    return content;
  };
  try {
    return await work(stdin);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new WrongUsage(message, usages);
  }
}

export async function signingSecretOf(
  options: { secret?: string; key?: string; hashKey?: string; usesStdin?: boolean },
  stdin: Stdin,
): Promise<{ signingSecret: string | undefined; hashKey: string | undefined }> {
  const typed = options.secret ?? options.key ?? signingSecretVariable();
  const signingSecret = await secretOf(typed, stdin);
  const hashKey = await secretOf(options.hashKey ?? process.env.WINDWARD_HASH_KEY, stdin);
  if (signingSecret !== undefined) return { signingSecret, hashKey };
  const canPipe = hashKey === undefined && options.usesStdin !== true;
  const last = canPipe ? await piped(stdin) : undefined;
  if (last === undefined && (hashKey === undefined || options.usesStdin !== undefined))
    throw new WrongUsage(
      "Give the signing secret: --secret, WINDWARD_SIGNING_SECRET, or standard input.",
    );
  return { signingSecret: last, hashKey };
}

/** WINDWARD_KEY was its name before 1.1; now that is the API key, which signs nothing. */
function signingSecretVariable(): string | undefined {
  const { WINDWARD_SIGNING_SECRET: named = "", WINDWARD_KEY: old = "" } = process.env;
  if (named !== "") return named;
  return old === "" || API_KEY.test(old) ? undefined : old;
}

/** Its name, and that of before 1.1; the last is where people put every secret that signs. */
const WEBHOOK_SECRET_VARIABLES = [
  "WINDWARD_WEBHOOK_SECRET",
  "WINDWARD_SECRET",
  "WINDWARD_SIGNING_SECRET",
];

export async function webhookSecretsOf(
  typed: readonly string[] | undefined,
  { stdin, usesStdin }: { stdin: Stdin; usesStdin: boolean },
): Promise<string[]> {
  const [variable] = WEBHOOK_SECRET_VARIABLES.flatMap((name) => process.env[name] || []);
  const named = typed ?? (variable === undefined ? [] : [variable]);
  const secrets = await Promise.all(named.map(async (each) => String(await secretOf(each, stdin))));
  const last = secrets.length > 0 || usesStdin ? undefined : await piped(stdin);
  const all = last === undefined ? secrets : [last];
  if (all.length > 0) return all;
  throw new WrongUsage("Give a secret: --secret, WINDWARD_WEBHOOK_SECRET, or -.");
}

/** Under both names that the SDK has for it. */
interface NamedSecret {
  readonly name: string;
  readonly environment?: "live" | "sandbox";
  readonly secret: string;
  readonly signingSecret: string;
  readonly hashKey: string;
}

export function namedSecrets(pairs: readonly string[] | undefined): NamedSecret[] {
  return (pairs ?? []).map((pair) => {
    const [name, secret] = namePair(pair);
    const kind = name === "live" || name === "sandbox" ? ({ environment: name } as const) : {};
    return { name, ...kind, secret, signingSecret: secret, hashKey: secret };
  });
}

export function namePair(typed: string): [string, string] {
  const at = typed.indexOf("=");
  if (at < 1) throw new WrongUsage("Write it as name=value.");
  return [typed.slice(0, at), typed.slice(at + 1)];
}

export function timesOf({ at, tolerance }: { at?: string; tolerance?: string }) {
  const now = at === undefined ? undefined : new Date(at);
  const toleranceSeconds = tolerance === undefined ? undefined : Number(tolerance);
  if (Number.isNaN(now?.getTime()) || Number.isNaN(toleranceSeconds))
    throw new WrongUsage("--at is a time such as 2026-11-15T14:03:07Z, --tolerance are seconds.");
  return given({ now, toleranceSeconds });
}

/** Only those that have a value. */
export function given<T extends object>(
  fields: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

export function required(value: string | undefined, otherwise: string): string {
  if (value === undefined) throw new WrongUsage(otherwise);
  return value;
}

export async function contentOf(file: string, stdin: Stdin): Promise<Buffer> {
  if (file === "-") return stdin();
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WrongUsage(`${file} cannot be read: ${code}.`);
  }
}

/** What a pipe brings, when nothing else was given. */
async function piped(stdin: Stdin): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined;
  const content = String(await stdin()).replace(/\r?\n$/, "");
  return content === "" ? undefined : content;
}

async function secretOf(typed: string | undefined, stdin: Stdin): Promise<string | undefined> {
  return typed === "-" ? String(await stdin()).replace(/\r?\n$/, "") : typed;
}
