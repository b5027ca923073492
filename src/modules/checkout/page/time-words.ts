import type { Texts } from "./texts-en.ts";

const MINUTE_SECONDS = 60;

/** A page that is whole takes so long to arrive, and is not to be told a minute less for it. */
const ARRIVAL_SECONDS = 1;

/**
 * The time that is left, in words, rather less than more; with scripts a clock takes their place,
 * so they have one line, as it has.
 */
export function timeAttributes({ secondsLeft }: { readonly secondsLeft: number }, t: Texts) {
  const seconds = Math.max(0, Math.floor(secondsLeft));
  const minutes = Math.floor((secondsLeft + ARRIVAL_SECONDS) / MINUTE_SECONDS);
  return {
    timeWords: t.time.left(minutes > 0 ? t.time.minutes(minutes) : t.time.seconds(seconds)),
    warnings: JSON.stringify(t.time.warnings),
  };
}
