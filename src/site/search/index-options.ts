/** What the index is made of, and how a word of a text or of a question is looked up in it. */

const ENDINGS = /(?:ations?|ings?|ies|ied|ed|es|als?|s)$/;
const STEM_LENGTH_MIN = 4;

/** Of questions, which say nothing of what is looked for. */
const FILLERS = new Set(
  (
    "a about after an and are at be before by can do does for from get happens have how i if in " +
    "is it me my of on or our so that the their them there this to use was we what when where " +
    "which who why will with you your"
  ).split(" "),
);

export const INDEX_OPTIONS = {
  fields: ["heading", "page", "call", "otherWords", "text", "code"],
  processTerm: stemOf,
};

/** Nothing for a filler. Cuts usual endings, so that "withdrawals" and "withdraw" are one word. */
export function stemOf(term: string): string | undefined {
  const word = term.toLowerCase().replace(/['’]s?$/, "");
  if (FILLERS.has(word)) return undefined;
  const stem = word.replace(ENDINGS, "");
  return stem.length >= STEM_LENGTH_MIN ? stem : word;
}
