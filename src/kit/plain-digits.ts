/**
 * Replaces digits of every script (٤ and ४ are 4), full-width, raised or in a circle, by those of
 * ASCII. All else stays. People type a card number with the digits of their keyboard, and who reads
 * it has the card (Decision 0148).
 */

/** Without those of ASCII, which most texts have: a function is called for each that is found. */
const IN_DISGUISE = /[[\p{Nd}\p{No}]--[0-9]]/gv;
const OF_A_SCRIPT = /\p{Nd}/u;

/** At most as many as Unicode has. */
const known = new Map<string, string>();

export function plainDigits(text: string): string {
  return text.replace(IN_DISGUISE, plainDigit);
}

function plainDigit(char: string): string {
  const found = known.get(char);
  if (found !== undefined) return found;
  const folded = char.normalize("NFKC");
  const plain = /^\d+$/.test(folded) ? folded : (digitOf(char) ?? char);
  known.set(char, plain);
  return plain;
}

/** Unicode keeps the ten digits of a script together, from its zero on; sets may adjoin. */
function digitOf(char: string): string | undefined {
  if (!OF_A_SCRIPT.test(char)) return undefined;
  const code = char.codePointAt(0) ?? 0;
  let before = 0;
  while (OF_A_SCRIPT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
