/** Texts that are kept are short. What is cut off must not leave half a card number behind. */

export const BODY_BYTES_MAX = 4_096;
/** Room for what is said about the cut. */
const NOTE_BYTES = 64;
/** Digits, the halves of those beyond 16 bits, and what may part, list or encode them. */
const IN_NUMBER = /[\p{N}\p{Cs}\s\p{Pd}\p{Cf}._/+%\\a-ftnru",[]/iu;

/** A copy where it was cut: a slice would keep the whole text in memory. */
export function cutText(text: string, bytesMax = BODY_BYTES_MAX): string {
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= bytesMax) return text;
  const start = Buffer.from(text.slice(0, bytesMax)).subarray(0, bytesMax - NOTE_BYTES);
  // A character of several bytes may have been cut in two.
  const whole = start.toString().replace(/\ufffd+$/, "");
  return `${withoutLastNumber(whole)}… [cut: ${bytes} bytes]`;
}

/** It may go on behind the cut. */
function withoutLastNumber(text: string): string {
  let end = text.length;
  while (end > 0 && IN_NUMBER.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
