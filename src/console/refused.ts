/**
 * A form that was refused: the same page again, with what is wrong above it and at its field, under
 * the status and code that the API would have answered with.
 */

import type { Answer } from "../infra/http/answer.ts";
import { ServiceError, Unavailable } from "../kit/errors.ts";
import type { Html } from "../kit/html.ts";
import { problemSummary } from "../parts/notice.ts";

/** What a form sent, by the names of its fields. */
export type SentForm = Readonly<Record<string, string>>;

export interface RefusedForm {
  readonly summary: Html;
  /** What is wrong with the field of this name, if it is to blame. */
  errorOf(field: string): string | undefined;
}

/** Runs the form; a refusal that the person can do something about shows the page again. */
export async function orRefused(
  run: () => Promise<Answer>,
  showAgain: (refused: RefusedForm) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || isPageGone(error)) throw error;
    const { message, field, status, code } = error;
    const problem = field === undefined ? { message } : { field, message };
    const page = await showAgain({
      summary: problemSummary([problem], "That did not work"),
      errorOf: (name) => (name === field ? message : undefined),
    });
    return { ...page, status, error: code };
  }
}

/** There is no page to show again: what it is about is gone, or we are in trouble. */
function isPageGone(error: ServiceError): boolean {
  return error.status === 404 || error.status === 401 || error instanceof Unavailable;
}
