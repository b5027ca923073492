/** PHP as a person has it (`testkit/php.ts`). A warning is a failure. */

import { findPhp } from "../../testkit/php.ts";
import { openInterpreter } from "./interpreter-session.ts";
import type { Session } from "./session.ts";

/** Pieces are evaluated in one scope, one after the other, so that they share what they make. */
const MAIN = `
set_error_handler(fn(int $kind, string $text, string $file, int $line)
  => throw new ErrorException($text, 0, $kind, $file, $line));
while (($__piece = fgets(STDIN)) !== false) {
  ob_start();
  $__how = 'said';
  try {
    eval(base64_decode($__piece));
  } catch (Throwable $__problem) {
    $__how = 'failed';
    echo $__problem;
  }
  $__said = base64_encode(ob_get_clean());
  echo "$__how $__said\\n";
}`;

export async function openPhp(): Promise<Session> {
  return openInterpreter(await findPhp(), ["-r", MAIN]);
}
