import type { Texts } from "./texts-en.ts";

const MINUTE_SECONDS = 60;

/**
 * The time that is left, in words, rather less than more; with scripts a clock takes their place,
 * so they have one line, as it has.
 */
export function timeAttributes({ secondsLeft }: { readonly secondsLeft: number }, t: Texts) {
  const seconds = Math.max(0, Math.floor(secondsLeft));
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  return {
    timeWords: t.time.left(minutes > 0 ? t.time.minutes(minutes) : t.time.seconds(seconds)),
    warnings: JSON.stringify(t.time.warnings),
  };
}
