/**
 * Names and addresses in the characters that every bank accepts: English letters, digits and the
 * few signs common to the clearing systems (Decision 0048). The record keeps what was typed; only
 * the file is transliterated.
 *
 * The same text always gives the same characters, and never none: an empty element would make the
 * bank refuse the whole file.
 */

const ACCEPTED = /[A-Za-z0-9/\-?:().,'+ ]/;
const STAND_IN = ".";

/** What removing accents does not bring into the alphabet, by what is written for it. */
const WRITTEN_FOR = {
  ss: "ß",
  AE: "Æ",
  ae: "æ",
  OE: "Œ",
  oe: "œ",
  O: "Ø",
  o: "ø",
  D: "ÐĐ",
  d: "ðđ",
  TH: "Þ",
  th: "þ",
  L: "Ł",
  l: "ł",
  i: "ı",
  "+": "&",
  "-": "_–—",
  "'": '‘’`"“”',
};
const WRITTEN_AS = new Map(
  Object.entries(WRITTEN_FOR).flatMap(([written, signs]) =>
    [...signs].map((sign) => [sign, written] as const),
  ),
);

export function bankText(typed: string, max: number): string {
  const plain = typed.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/gu, " ");
  let written = "";
  for (const sign of plain)
    written += ACCEPTED.test(sign) ? sign : (WRITTEN_AS.get(sign) ?? STAND_IN);
  // Two strokes, or one in front, begin a code word in the older messages behind these.
  const quiet = written.replace(/\/{2,}/g, "/").replace(/^[\s/]+/, "");
  return quiet.slice(0, max).trim() || STAND_IN;
}

/** An address in lines of so many characters, broken between words where that is possible. */
export function bankLines(typed: string, { length, count }: { length: number; count: number }) {
  const found: string[] = [];
  let line = "";
  for (const word of bankText(typed, length * count).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= length) line = longer;
    else {
      if (line !== "") found.push(line);
      line = word.slice(0, length);
    }
  }
  found.push(line);
  return found.slice(0, count);
}
