/**
 * A form that was refused: the same page again, with what is wrong above it and at its field, under
 * the status and code that the API would have answered with.
 */

import type { Answer } from "../infra/http/answer.ts";
import { FieldRefused, ServiceError, Unavailable } from "../kit/errors.ts";
import { labelOf, readFields, type Shape } from "../kit/fields/field.ts";
import type { Html } from "../kit/html.ts";
import { problemSummary } from "../parts/notice.ts";

/** What a form sent, by the names of its fields. */
export type SentForm = Readonly<Record<string, string>>;

export interface RefusedForm {
  readonly summary: Html;
  /** What is wrong with the field of this name, if it is to blame. */
  errorOf(field: string): string | undefined;
}

/**
 * Runs the form; a refusal that the person can do something about shows the page again. `labels`
 * are those of fields, by their names, and the page's own words for whole sentences of the API.
 */
export async function orRefused(
  run: () => Promise<Answer>,
  showAgain: (refused: RefusedForm) => Answer | Promise<Answer>,
  labels: SentForm = {},
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || isPageGone(error)) throw error;
    const { field, status, code } = error;
    const message = inWordsOfPage(error, labels);
    const problem = field === undefined ? { message } : { field, message };
    const page = await showAgain({
      summary: problemSummary([problem], "That did not work"),
      errorOf: (name) => (name === field ? message : undefined),
    });
    return { ...page, status, error: code };
  }
}

/** The same for a form whose fields are read one by one: all that are wrong are told at once. */
export async function orEachRefused(
  { shape, sent }: { readonly shape: Shape; readonly sent: SentForm },
  run: () => Promise<Answer>,
  showAgain: (refused: RefusedForm) => Answer | Promise<Answer>,
  labels: SentForm = {},
): Promise<Answer> {
  const problems = wrongFields(shape, sent, labels);
  if (problems.length < 2) return orRefused(run, showAgain, labels);
  const page = await showAgain({
    summary: problemSummary(problems),
    errorOf: (name) => problems.find(({ field }) => field === name)?.message,
  });
  return { ...page, status: 400, error: "field_invalid" };
}

function wrongFields(shape: Shape, sent: SentForm, labels: SentForm) {
  return Object.entries(shape).flatMap(([field, one]) => {
    try {
      readFields({ [field]: one }, sent);
      return [];
    } catch (error) {
      if (!(error instanceof FieldRefused)) throw error;
      return [{ field, message: inWordsOfPage(error, labels) }];
    }
  });
}

/** A field is called as the page labels it, where that is not its name. */
function inWordsOfPage({ message, field = "" }: ServiceError, labels: SentForm): string {
  const label = labels[field];
  const start = `The ${labelOf(field)} `;
  if (labels[message] !== undefined) return labels[message];
  if (label === undefined || !message.startsWith(start)) return message;
  return `“${label}” ${message.slice(start.length).replace(/^field is /, "is ")}`;
}

/** There is no page to show again: what it is about is gone, or we are in trouble. */
function isPageGone(error: ServiceError): boolean {
  return error.status === 404 || error.status === 401 || error instanceof Unavailable;
}
