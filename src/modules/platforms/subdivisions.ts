/**
 * States, provinces and parishes of every country, by ISO 3166-2 (Interface §2.4, Decision 0018).
 *
 * The list is 5 MB in memory and few requests need it, so the first one loads it (about 20 ms);
 * `require`, because field readers are synchronous. Names are the standard's.
 */

import { createRequire } from "node:module";

type Names = Readonly<Record<string, string>>;

const require = createRequire(import.meta.url);
const NONE: Names = Object.freeze({});

let byCountry: ReadonlyMap<string, Names> | undefined;

/** Full codes, all levels, in the standard's order; nothing for a country that has none. */
export function subdivisionsOf(country: string): Names {
  byCountry ??= load();
  return byCountry.get(country) ?? NONE;
}

/** Accepts `US-CA` and, as the country is known, `CA`. */
export function isSubdivision(country: string, text: string): boolean {
  const names = subdivisionsOf(country);
  return Object.hasOwn(names, text) || Object.hasOwn(names, `${country}-${text}`);
}

function load(): ReadonlyMap<string, Names> {
  const { iso31662 } = require("iso-3166/2.js") as typeof import("iso-3166/2.js");
  const countries = Map.groupBy(iso31662, ({ code }) => code.slice(0, 2));
  return new Map(
    [...countries].map(([country, all]) => [
      country,
      Object.freeze(Object.fromEntries(all.map(({ code, name }) => [code, name]))),
    ]),
  );
}
