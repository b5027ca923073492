/** A request with what the server itself keeps of it until it is answered. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { newRequestId } from "../../../kit/ids.ts";
import type { Span } from "../../../kit/trace.ts";
import type { Request } from "../request.ts";
import type { Measured } from "../serve/measure-requests.ts";
import type { Endpoint } from "../serve/router.ts";
import { originForm } from "./request-target.ts";

export interface PendingRequest extends Request {
  /** In milliseconds of `performance.now()`, as the two others. */
  readonly beganAt: number;
  endpoint: Endpoint | undefined;
  /** Undefined where its trace is not recorded. */
  span: Span | undefined;
  /** Undefined when no route was found, or it was refused before that mattered. */
  measured: Measured | undefined;
  /** When it is answered without waiting any longer. */
  lateAt: number;
  isReceivingBody: boolean;
  /** Whether it counts among the requests at work (`shed-load.ts`). */
  isAtWork: boolean;
  isAnswered: boolean;
  /** Refused for want of room. */
  isShed: boolean;
  /** Its place in the list of `time-limits.ts`; -1 outside it. */
  slot: number;
}

export function createPendingRequest(
  raw: IncomingMessage,
  response: ServerResponse,
): PendingRequest {
  return {
    raw,
    response,
    id: newRequestId(),
    method: raw.method ?? "",
    url: originForm(raw.url ?? "/"),
    params: {},
    body: undefined,
    caller: undefined,
    clientAddress: "",
    answerHeaders: {},
    beganAt: performance.now(),
    endpoint: undefined,
    span: undefined,
    measured: undefined,
    lateAt: Infinity,
    isReceivingBody: false,
    isAtWork: false,
    isAnswered: false,
    isShed: false,
    slot: -1,
  };
}
