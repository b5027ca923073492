/** Names and addresses as banks take them: without control characters, and not of spaces alone. */

import { text } from "../../kit/fields/text.ts";

const LENGTH_MAX = 255;

export const lineField = text({
  max: LENGTH_MAX,
  pattern: /^[ -~\u00a0-\uffff]*[!-~\u00a1-\uffff][ -~\u00a0-\uffff]*$/,
});

/** An address may have several lines. */
export const linesField = text({
  max: LENGTH_MAX,
  pattern: /^[ -~\r\n\u00a0-\uffff]*[!-~\u00a1-\uffff][ -~\r\n\u00a0-\uffff]*$/,
});
