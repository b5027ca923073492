/** What is known of a request when its answer has been written, for what keeps a record of it. */

import type { Answer } from "./answer.ts";
import type { Request } from "./request.ts";

export interface Sent {
  /** Undefined where it was a stream. */
  readonly body: string | Buffer | undefined;
  readonly elapsedMs: number;
}

/** Called behind the answer; must neither throw nor keep the request. Provided by `app.ts`. */
export type RecordAnswer = (request: Request, answer: Answer, sent: Sent) => void;
