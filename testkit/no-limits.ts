/**
 * Settings that put every limit a minute and on declined cards out of the way, for whatever is not
 * about them: all traffic of a test, a bench or a soak comes from one address. Taken from the list
 * of settings, so that a limit to come is among them.
 */

import { SETTINGS } from "../src/infra/settings.ts";

export const OUT_OF_THE_WAY = "1000000";

export const NO_LIMITS: Readonly<Record<string, string>> = Object.fromEntries(
  SETTINGS.filter(({ name }) => /^(LIMIT|DECLINES_PER)_/.test(name)).map(({ name }) => [
    name,
    OUT_OF_THE_WAY,
  ]),
);
