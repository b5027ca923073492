/**
 * Reads settings out of an environment and remembers every mistake until `finish`.
 */

import net from "node:net";
import type { Keyring } from "../kit/secrets.ts";
import { SETTINGS } from "./settings.ts";

type Bounds = { readonly min: number; readonly max: number };

/** One message for all that is wrong, a line each. */
export class BadSettings extends Error {
  constructor(mistakes: readonly string[]) {
    super(`The settings are not complete:\n${mistakes.map((line) => `  - ${line}`).join("\n")}`);
  }
}

export type SettingsReader = ReturnType<typeof createSettingsReader>;

export function createSettingsReader(env: Readonly<Record<string, string | undefined>>) {
  const mistakes: string[] = [];
  const declared = new Map(SETTINGS.map((setting) => [setting.name, setting]));

  function raw(name: string): string | undefined {
    const setting = declared.get(name);
    if (setting === undefined) throw new Error(`${name} is not declared in settings.ts`);
    const given = env[name];
    return given === undefined || given === "" ? setting.default : given;
  }

  function mistake<T>(sentence: string, standIn: T): T {
    mistakes.push(sentence);
    return standIn;
  }

  function text(name: string): string {
    return raw(name) ?? mistake(`${name} is missing.`, "");
  }

  function optionalInteger(name: string, bounds: Bounds, fallback?: number): number | undefined {
    const given = raw(name);
    if (given === undefined) return fallback;
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    return value >= bounds.min && value <= bounds.max
      ? value
      : mistake(`${name} must be a whole number from ${bounds.min} to ${bounds.max}.`, bounds.min);
  }

  function list(name: string): string[] {
    const words = (raw(name) ?? "").split(",").map((word) => word.trim());
    return words.filter((word) => word !== "");
  }

  return {
    text,
    list,
    optionalInteger,
    integer(name: string, bounds: Bounds, fallback?: number): number {
      return optionalInteger(name, bounds, fallback) ?? mistake(`${name} is missing.`, bounds.min);
    },
    boolean(name: string, fallback: boolean): boolean {
      const given = raw(name);
      if (given === undefined) return fallback;
      if (given === "true" || given === "1") return true;
      if (given === "false" || given === "0") return false;
      return mistake(`${name} must be true or false.`, fallback);
    },
    oneOf<const Word extends string>(name: string, words: readonly Word[], fallback?: Word): Word {
      const given = raw(name) ?? fallback;
      const [first] = words;
      if (first === undefined) throw new Error(`${name} has no values to choose from`);
      return words.includes(given as Word)
        ? (given as Word)
        : mistake(`${name} must be ${words.join(" or ")}.`, first);
    },
    optionalUrl(name: string, protocols: readonly string[]): string | undefined {
      const given = raw(name);
      if (given === undefined) return undefined;
      const url = URL.canParse(given) ? new URL(given) : undefined;
      return url !== undefined && protocols.includes(url.protocol)
        ? given
        : mistake(
            `${name} must be an address beginning with ${protocols.join("// or ")}//.`,
            given,
          );
    },
    cidrs(name: string): string[] {
      for (const entry of list(name))
        if (!isCidr(entry)) mistake(`${name}: ${entry} is not an address range.`, undefined);
      return list(name);
    },
    keyring(name: string, parse: (given: string) => Keyring | undefined): Keyring | undefined {
      const given = raw(name);
      if (given === undefined) return undefined;
      return (
        parse(given) ??
        mistake(`${name} must be id:key with a key of 32 bytes in base64.`, undefined)
      );
    },
    /** Settings that have no safe default here. */
    demand(names: readonly string[]): void {
      for (const name of names)
        if (raw(name) === undefined)
          mistakes.push(`${name} is missing. ${declared.get(name)?.about}`);
    },
    finish(): void {
      if (mistakes.length > 0) throw new BadSettings(mistakes);
    },
  };
}

function isCidr(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const version = net.isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
