/** Bugs in the PHP package: what it believes, signs, repeats and writes down. */

import type { Mutant } from "./mutant.ts";

const SRC = "sdk-php/src";
const VECTORS = ["test/sdk-php/vectors.test.ts"];
/** Between two statements of the loop over the events. */
const PHP_LINE = `\n${" ".repeat(20)}`;

export const sdkPhpMutants: readonly Mutant[] = [
  {
    name: "php-takes-a-lost-expectation-for-none",
    breaks: "a shop whose session was lost delivers for somebody else's payment",
    change: {
      file: `${SRC}/RedirectChecks.php`,
      find: "if ($value === null || $value === '') {",
      replace: "if ($value === '') {",
    },
    caughtBy: VECTORS,
  },
  {
    name: "php-believes-another-payment",
    breaks: "a cheaper payment under the same order id is delivered",
    change: {
      file: `${SRC}/Redirect.php`,
      find: "if (is_string($id) && $result->transactionId !== $id) {",
      replace: "if (is_string($id) && $result->transactionId === '') {",
    },
    caughtBy: VECTORS,
  },
  {
    name: "php-takes-a-parameter-twice",
    breaks: "two programs of a shop read two results from one address",
    change: {
      file: `${SRC}/RedirectParameters.php`,
      find: "if (isset($values[$name])) {",
      replace: "if (isset($values[$name]) && $name === 'hash') {",
    },
    caughtBy: VECTORS,
  },
  {
    name: "php-takes-old-webhooks",
    breaks: "a recorded webhook can be replayed later",
    change: {
      file: `${SRC}/Webhook.php`,
      find: "if (!($age <= $toleranceSeconds)) {",
      replace: "if (!($age <= $toleranceSeconds * 1000)) {",
    },
    caughtBy: VECTORS,
  },
  {
    name: "php-looks-at-one-signature",
    breaks: "webhooks are refused while a secret is rotated",
    change: {
      file: `${SRC}/Webhook.php`,
      find: "$fits = hash_equals($expected, $signature) || $fits;",
      replace: "$fits = hash_equals($expected, $signature);",
    },
    caughtBy: VECTORS,
  },
  {
    name: "php-sorts-names-by-bytes",
    breaks: "requests with names beyond U+FFFF are refused",
    change: {
      file: `${SRC}/FormText.php`,
      find: 'return strtr($name, "\\xEE\\xEF", "\\xFE\\xFF");',
      replace: "return $name;",
    },
    caughtBy: VECTORS,
  },
  {
    name: "php-makes-a-key-for-each-try",
    breaks: "a refund whose answer was lost is made twice",
    change: {
      file: `${SRC}/Http.php`,
      find: "$outcome = $this->try($method, $path, $body, $key);",
      replace: "$outcome = $this->try($method, $path, $body, $key . $attempt);",
    },
    caughtBy: ["test/sdk-php/calls.test.ts"],
  },
  {
    name: "php-saves-the-cursor-first",
    breaks: "an event is lost when the program dies while it handles it",
    change: {
      file: `${SRC}/EventFeed.php`,
      find: ["$handle($event);", "$after = $event->sequence;", "$file->save($after);"].join(
        PHP_LINE,
      ),
      replace: ["$after = $event->sequence;", "$file->save($after);", "$handle($event);"].join(
        PHP_LINE,
      ),
    },
    caughtBy: ["test/sdk-php/event-feed.test.ts"],
  },
];
