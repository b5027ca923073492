/**
 * Names and addresses in the letters that every bank takes: those of English, digits, and the few
 * signs that are common to the clearing systems (Decision 0048). The record keeps what was typed;
 * only the file is written so.
 *
 * The rule that matters: the same text always becomes the same letters, and something is always
 * left, because an empty element would make the bank refuse the whole file.
 */

const TAKEN = /[A-Za-z0-9/\-?:().,'+ ]/;
const STAND_IN = ".";

/** What taking the accents off does not bring into the alphabet. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  ß: "ss",
  Æ: "AE",
  æ: "ae",
  Œ: "OE",
  œ: "oe",
  Ø: "O",
  ø: "o",
  Ð: "D",
  ð: "d",
  Đ: "D",
  đ: "d",
  Þ: "TH",
  þ: "th",
  Ł: "L",
  ł: "l",
  ı: "i",
  "&": "+",
  _: "-",
  "–": "-",
  "—": "-",
  "‘": "'",
  "’": "'",
  "`": "'",
  '"': "'",
  "“": "'",
  "”": "'",
};

export function bankText(typed: string, max: number): string {
  const plain = typed.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/gu, " ");
  let written = "";
  for (const sign of plain) written += TAKEN.test(sign) ? sign : (WRITTEN_AS[sign] ?? STAND_IN);
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
