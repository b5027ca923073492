/**
 * What the tool ends with when it cannot do what was asked: one sentence, and what to do next.
 * `WrongUsage` is for what was typed (exit code 2); everything else ends with 1.
 */

import process from "node:process";
import { WindwardError } from "../windward-error.ts";

export const EXIT = { done: 0, failed: 1, calledWrongly: 2 } as const;

export class ToolError extends Error {
  readonly next: string;
  readonly exitCode: number;

  constructor(message: string, next: string, exitCode: number = EXIT.failed) {
    super(message);
    this.next = next;
    this.exitCode = exitCode;
  }
}

export class WrongUsage extends ToolError {
  constructor(message: string, next = "Add --help to see how it is called.") {
    super(message, next, EXIT.calledWrongly);
  }
}

/** Empty: the address that is taken when none is given. */
const LOCAL = /^$|^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/;

/** What else is there does not belong into a command that somebody pastes. */
const REQUEST_ID = /^[\w-]{1,64}$/;

/** Whether the service is on this machine. */
export const isLocal = (url: string) => LOCAL.test(url);

/** Trouble that is no mistake of the tool, in words that say what to do about it. */
export function toolErrorOf(error: unknown, url: string): ToolError {
  if (error instanceof ToolError) return error;
  if (isOfFile(error))
    return new ToolError(
      `${error.path}: ${error.code}.`,
      "Make it readable and writable for you, with room on the disk.",
    );
  if (!(error instanceof WindwardError)) return unexpected(error);
  const { status, detail, hint, requestId } = error;
  const isId = requestId !== undefined && REQUEST_ID.test(requestId);
  const more = isId ? ` npx windward explain ${requestId} says more.` : "";
  const next = nextStep(error, url) ?? hint ?? "Look at what was sent.";
  return new ToolError(detail, `${next}${status >= 400 && status !== 401 ? more : ""}`);
}

/** Printed like every other text: a parser quotes what a stranger may have written. */
function unexpected(error: unknown): ToolError {
  const { stack = String(error) } = error instanceof Error ? error : {};
  const { WINDWARD_DEBUG = "" } = process.env;
  const next =
    WINDWARD_DEBUG === "" ? "Set WINDWARD_DEBUG=1 to see where, and tell us, please." : stack;
  return new ToolError(`The tool did not expect this: ${String(error)}`, next);
}

/** What answers 200 and is something else: another web server, a proxy's page. */
export function notFromUs(what: string): ToolError {
  return new ToolError(
    `The service answered something that is not ${what}: is --url right?`,
    "Check the address (--url or WINDWARD_URL).",
  );
}

/** As Node throws it for a file or folder that it cannot read or write. */
function isOfFile(error: unknown): error is Error & { path: string; code: string } {
  if (!(error instanceof Error)) return false;
  const { code, path } = error as NodeJS.ErrnoException;
  return typeof code === "string" && typeof path === "string";
}

function nextStep({ status, hint, retryAfterSeconds: seconds = 1 }: WindwardError, url: string) {
  if (status === 0)
    return isLocal(url)
      ? "Start the service with npm start in its folder, or name another with --url."
      : "Check the address (--url or WINDWARD_URL) and your connection.";
  if (status === 401)
    return "Sign in with npx windward login, or give a valid API key in WINDWARD_KEY.";
  if (status === 403)
    return `${hint ?? "This credential may not do that."} Then run npx windward login again.`;
  if (status === 429 || status === 503) return `Try again in ${seconds} s.`;
  return undefined;
}

/** What a 404 of this call means, where the service cannot know it. */
export function notFoundMeans(message: string, next: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof WindwardError && error.status === 404) throw new ToolError(message, next);
    throw error;
  };
}

/** A whole number of things, as it was typed. */
export function readCount(name: string, typed: string, { least = 1 } = {}): number {
  if (/^\d{1,9}$/.test(typed) && Number(typed) >= least) return Number(typed);
  throw new WrongUsage(`${name} is a whole number from ${least} on.`);
}
