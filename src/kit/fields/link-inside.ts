/**
 * Links in names that a mail to a stranger repeats: with one, an invitation is somebody's
 * advertisement under our name.
 */

import { type Field, fieldRefused } from "./field.ts";

/** An address with its scheme or `www`, or a domain with a path behind it. */
const LINK = /:\/\/|\bwww\.|[\p{L}\p{N}-]+\.\p{L}{2,}\//iu;
/** Letters that are not seen would part what a mail program puts together. */
const UNSEEN = /[\p{Cf}\p{Mn}]/gu;

export function holdsLink(text: string): boolean {
  return LINK.test(text.normalize("NFKC").replace(UNSEEN, ""));
}

export function withoutLink(inner: Field<string>): Field<string> {
  return {
    ...inner,
    read(value, name, earlier) {
      const input = inner.read(value, name, earlier);
      if (holdsLink(input)) throw fieldRefused(name, "must not contain a link");
      return input;
    },
  };
}
