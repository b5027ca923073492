/**
 * Reads settings out of an environment and remembers every mistake until `finish`, which reports
 * all of them in one message. A mistaken setting reads as some harmless stand-in until then.
 */

import net from "node:net";
import { type Keyring, parseKeyring } from "../kit/secrets.ts";
import { SETTINGS, type Setting } from "./settings.ts";

type Bounds = { readonly min: number; readonly max: number };

/** One message for all that is wrong, a line each. */
export class BadSettings extends Error {
  constructor(mistakes: readonly string[]) {
    super(`The settings are not right:\n${mistakes.map((line) => `  - ${line}`).join("\n")}`);
  }
}

export class SettingsReader {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #declared = new Map<string, Setting>(SETTINGS.map((one) => [one.name, one]));
  readonly #mistakes: string[] = [];

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  isGiven(name: string): boolean {
    return this.#raw(name) !== undefined;
  }

  text(name: string): string {
    return this.#raw(name) ?? this.#mistake(`${name} is missing.`, "");
  }

  list(name: string): string[] {
    const words = (this.#raw(name) ?? "").split(",").map((word) => word.trim());
    return words.filter((word) => word !== "");
  }

  integer(name: string, bounds: Bounds, fallback?: number): number {
    const value = this.optionalInteger(name, bounds, fallback);
    return value ?? this.#mistake(`${name} is missing.`, bounds.min);
  }

  optionalInteger(name: string, bounds: Bounds, fallback?: number): number | undefined {
    const given = this.#raw(name);
    if (given === undefined) return fallback;
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= bounds.min && value <= bounds.max) return value;
    const rule = `${name} must be a whole number from ${bounds.min} to ${bounds.max}.`;
    return this.#mistake(rule, bounds.min);
  }

  boolean(name: string, fallback: boolean): boolean {
    const given = this.#raw(name);
    if (given === undefined) return fallback;
    if (given === "true" || given === "1") return true;
    if (given === "false" || given === "0") return false;
    return this.#mistake(`${name} must be true or false.`, fallback);
  }

  oneOf<const Word extends string>(
    name: string,
    words: readonly [Word, ...Word[]],
    fallback?: Word,
  ): Word {
    const given = this.#raw(name) ?? fallback;
    const known = words.find((word) => word === given);
    return known ?? this.#mistake(`${name} must be ${words.join(" or ")}.`, words[0]);
  }

  optionalUrl(name: string, protocols: readonly string[]): string | undefined {
    const given = this.#raw(name);
    if (given === undefined) return undefined;
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url !== undefined && protocols.includes(url.protocol)) return given;
    const starts = protocols.map((protocol) => `${protocol}//`).join(" or ");
    return this.#mistake(`${name} must be an address beginning with ${starts}.`, undefined);
  }

  cidrs(name: string): string[] {
    const ranges = this.list(name);
    for (const range of ranges)
      if (!isRange(range)) this.#mistake(`${name}: ${range} is not an address range.`, undefined);
    return ranges.filter(isRange);
  }

  keyring(name: string): Keyring | undefined {
    const given = this.#raw(name);
    if (given === undefined) return undefined;
    const rule = `${name} must be id:key, the key being 32 bytes in base64.`;
    return parseKeyring(given) ?? this.#mistake(rule, undefined);
  }

  /** A mistake that only shows when several settings are seen together. */
  refuse(sentence: string): void {
    this.#mistake(sentence, undefined);
  }

  /** Settings that have no safe default here. */
  demand(names: readonly string[]): void {
    for (const name of names)
      if (this.#raw(name) === undefined)
        this.#mistake(`${name} is missing. ${this.#aboutWhenSet(name)}`, undefined);
  }

  finish(): void {
    if (this.#mistakes.length > 0) throw new BadSettings(this.#mistakes);
  }

  #raw(name: string): string | undefined {
    const setting = this.#declared.get(name);
    if (setting === undefined) throw new Error(`${name} is not declared in settings.ts`);
    const given = this.#env[name];
    return given === undefined || given === "" ? setting.default : given;
  }

  /** The meaning of a setting, less what would hold without it. */
  #aboutWhenSet(name: string): string {
    return (this.#declared.get(name)?.about ?? "").replace(/\s*Without it\b.*$/s, "");
  }

  #mistake<T>(sentence: string, standIn: T): T {
    this.#mistakes.push(sentence);
    return standIn;
  }
}

function isRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = net.isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const width = version === 4 ? 32 : 128;
  if (bits === undefined) return true;
  // Everything (/0) is no range: whoever is anybody's proxy can pretend to be anybody.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= width;
}
