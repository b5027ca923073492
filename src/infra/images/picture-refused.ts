/**
 * A file that is not taken as a picture, with the sentence its sender reads. It names the kind of
 * mistake and no detail: that helps an honest sender enough.
 */

const PICTURE_REFUSALS = {
  type: "The picture must be a file of type: bmp, gif, jpeg, jpg, png, svg.",
  damaged: "The picture is damaged: it cannot be read to its end.",
  dimensions: "The picture must have at most 25 million pixels, and 12,000 on a side.",
  outside: "The picture refers to something outside of itself.",
  complex: "The picture is too complex.",
} as const;

export type RefusalReason = keyof typeof PICTURE_REFUSALS;

export class PictureRefused extends Error {
  override readonly name = "PictureRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, cause?: unknown) {
    super(PICTURE_REFUSALS[reason], { cause });
    this.reason = reason;
  }
}

/** The same sentences of a logo. */
export function refusalsOf(name: "picture" | "logo"): string[] {
  return Object.values(PICTURE_REFUSALS).map((sentence) => refusalOf(name, sentence));
}

export function refusalOf(name: "picture" | "logo", sentence: string): string {
  return sentence.replace("The picture", `The ${name}`);
}

export function isRefusalReason(text: string): text is RefusalReason {
  return Object.hasOwn(PICTURE_REFUSALS, text);
}
