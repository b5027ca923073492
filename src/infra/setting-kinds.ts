/**
 * The kinds of settings: each declares one environment variable, with what it means, what holds
 * without it, and how its text becomes a typed value. A reader throws `Mistake` with a sentence.
 */

import { readRange } from "../kit/ip-address.ts";
import { deriveKey, type Keyring, parseKeyring } from "../kit/secrets.ts";

export type Stage = "development" | "production";

/** What holds when the variable is absent or empty. */
type Preset = string | Readonly<Partial<Record<Stage, string>>>;

export interface Setting<T = unknown> {
  readonly about: string;
  readonly preset?: Preset;
  /** Shown in `.env.example` where there is no default. */
  readonly example?: string;
  /** Has no safe default in production. */
  readonly isDemanded?: true;
  /** `given` is undefined when there is neither a value nor a preset. */
  read(given: string | undefined, context: { name: string; stage: Stage }): T;
}

export class Mistake extends Error {}

interface Options {
  readonly preset?: Preset;
  readonly example?: string;
  readonly isDemanded?: true;
}

export function text(preset: string, about: string): Setting<string> {
  return { about, preset, read: (given = "") => given };
}

/** Undefined where none is named. */
export function file(example: string, about: string): Setting<string | undefined> {
  return { about, example, read: (given) => given };
}

export function list(about: string, options: Options = {}): Setting<readonly string[]> {
  return { about, ...options, read: split };
}

/** Host names without ports; a lone * stands for all of them. */
export function hosts(about: string, options: Options = {}): Setting<readonly string[]> {
  return {
    about,
    ...options,
    read(given, { name }) {
      const wrong = split(given).filter((host) => host !== "*" && /[*/\s]|:\d*$/.test(host));
      if (wrong.length === 0) return split(given);
      throw new Mistake(
        `${name}: ${wrong.join(", ")} is no host name. ` +
          "Write each of them, or * alone for every host.",
      );
    },
  };
}

function split(given = ""): string[] {
  const words = given.split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}

export function integer(
  { min, max, preset }: { min: number; max: number; preset: Preset },
  about: string,
): Setting<number> {
  // Zeros in front may make it a little longer.
  const digits = new RegExp(`^\\d{1,${Math.max(9, String(max).length)}}$`);
  return {
    about,
    preset,
    read(given = "", { name }) {
      const value = digits.test(given) ? Number(given) : Number.NaN;
      if (value >= min && value <= max) return value;
      throw new Mistake(`${name} must be a whole number from ${min} to ${max}.`);
    },
  };
}

export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return {
    ...setting,
    read: (given, context) => (given === undefined ? undefined : setting.read(given, context)),
  };
}

export function flag(preset: Preset, about: string): Setting<boolean> {
  return {
    about,
    preset,
    read(given, { name }) {
      if (given === "true" || given === "1") return true;
      if (given === "false" || given === "0") return false;
      throw new Mistake(`${name} must be true or false.`);
    },
  };
}

/** `inProduction`: the only word that production takes. */
export function oneOf<const Word extends string>(
  words: readonly [Word, ...Word[]],
  options: { readonly preset: Preset; readonly inProduction?: NoInfer<Word> },
  about: string,
): Setting<Word> {
  const { preset, inProduction } = options;
  return {
    about,
    preset,
    read(given, { name, stage }) {
      const isBound = stage === "production" && inProduction !== undefined;
      const allowed = isBound ? [inProduction] : words;
      const known = allowed.find((word) => word === given);
      if (known !== undefined) return known;
      throw new Mistake(`${name} must be ${allowed.join(" or ")}.`);
    },
  };
}

export function url(
  protocols: readonly string[],
  options: Options & { check?: (url: URL, stage: Stage) => void },
  about: string,
): Setting<string | undefined> {
  const { check, ...others } = options;
  return {
    about,
    ...others,
    read(given, { name, stage }) {
      if (given === undefined) return undefined;
      const parsed = URL.canParse(given) ? new URL(given) : undefined;
      if (parsed === undefined || !protocols.includes(parsed.protocol)) {
        const starts = protocols.map((protocol) => `${protocol}//`).join(" or ");
        throw new Mistake(`${name} must be an address beginning with ${starts}.`);
      }
      check?.(parsed, stage);
      return given;
    },
  };
}

export function ranges(example: string, about: string): Setting<readonly string[]> {
  return {
    about,
    example,
    read(given, { name }) {
      // Not everything (/0) either: then any client could pretend to be any address.
      const wrong = split(given).filter((range) => readRange(range) === undefined);
      if (wrong.length === 0) return split(given);
      throw new Mistake(`${name}: ${wrong.join(", ")} is not an address range.`);
    },
  };
}

/**
 * Demanded in production, so a missing one is always of a development stage: it is derived from its
 * own name, because what it protects is a demo world whose passwords stand in the README.
 */
export function keyring(about: string, options: Options = {}): Setting<Keyring> {
  return {
    about,
    isDemanded: true,
    ...options,
    read(given, { name }) {
      if (given !== undefined) {
        const ring = parseKeyring(given);
        if (ring !== undefined) return ring;
        throw new Mistake(`${name} must be id:key, the key being 32 bytes in base64.`);
      }
      const bytes = deriveKey(Buffer.from("windward development world"), name);
      const key = { id: "development", bytes };
      return { current: key, all: [key], byId: (id) => (id === key.id ? key : undefined) };
    },
  };
}
