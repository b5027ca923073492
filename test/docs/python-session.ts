/** Python as a person has it (`testkit/python.ts`). */

import { findPython } from "../../testkit/python.ts";
import { openInterpreter } from "./interpreter-session.ts";
import type { Session } from "./session.ts";

/** Pieces are run in one scope, one after the other, so that they share what they make. */
const MAIN = `
import base64, contextlib, io, sys, traceback
scope = {}
for piece in sys.stdin:
    printed, how = io.StringIO(), "said"
    with contextlib.redirect_stdout(printed):
        try:
            exec(base64.b64decode(piece), scope)
        except BaseException:
            how = "failed"
            traceback.print_exc(file=printed)
    print(how, base64.b64encode(printed.getvalue().encode()).decode(), flush=True)
`;

export async function openPython(): Promise<Session> {
  return openInterpreter(await findPython(), ["-c", MAIN]);
}
