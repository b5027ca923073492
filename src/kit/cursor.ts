/**
 * Where a page of a list by time begins: behind a row, towards older or newer ones. A page that is
 * reached so is not shifted by what comes meanwhile, and the last costs what the first does.
 */

import { FieldRefused } from "./errors.ts";

export interface Cursor {
  readonly towards: "older" | "newer";
  readonly at: Date;
  readonly id: string;
}

const CURSOR = /^(?<side>[on]) (?<at>\d{1,15}) (?<id>[\w-]+)$/;
const TIME_MS_MAX = Date.UTC(9999, 11, 31);

export function writeCursor({ towards, at, id }: Cursor): string {
  const side = towards === "older" ? "o" : "n";
  return Buffer.from(`${side} ${at.getTime()} ${id}`).toString("base64url");
}

/** `form` is that of the list's ids, `field` where it was asked for. */
export function readCursor(
  written: string,
  { form, field = "page" }: { readonly form: RegExp; readonly field?: string },
): Cursor {
  const parts = CURSOR.exec(Buffer.from(written, "base64url").toString("latin1"))?.groups;
  const at = Number(parts?.at);
  if (parts?.id === undefined || !form.test(parts.id) || at > TIME_MS_MAX)
    throw new FieldRefused("The page must come from a link of this list.", { field });
  return { towards: parts.side === "o" ? "older" : "newer", at: new Date(at), id: parts.id };
}
