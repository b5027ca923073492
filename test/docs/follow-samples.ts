/** Runs what a guide has a reader type at a terminal, from top to bottom, in one shell. */

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { openBash } from "./bash-session.ts";
import { shellPiecesOf } from "./snippets.ts";

/** What a piece prints; `next` then finds what the text asks the reader to paste. */
export type Expected = RegExp | { readonly says: RegExp; readonly next: Next };
export type Next = (said: string) => Promise<Readonly<Record<string, string>>>;

export interface Following {
  readonly guide: string;
  /** Of every piece, in order. */
  readonly expected: readonly Expected[];
  /** What this run has in the place of what the text says. */
  readonly written: Readonly<Record<string, string>>;
  /** What the shell runs first. */
  readonly profile?: string;
}

export async function followSamples(
  t: TestContext,
  { guide, expected, written, profile = "" }: Following,
): Promise<void> {
  const shell = openBash();
  if (shell === undefined) return t.skip("there is no bash or curl on this machine");
  t.after(() => shell.close());
  await shell.run(profile);
  const pieces = shellPiecesOf(guide);
  assert.equal(pieces.length, expected.length, "each piece of the guide is expected");
  let known: Readonly<Record<string, string>> = {};
  for (const [at, piece] of pieces.entries()) {
    const here = Object.entries(written)
      .reduce((code, [text, value]) => code.replaceAll(text, value), piece)
      .replace(/paste [\w ]+ here/g, (place) => known[place] ?? place);
    const said = await shell.run(here);
    const wanted = expected[at] ?? /./;
    assert.match(said, wanted instanceof RegExp ? wanted : wanted.says);
    if (!(wanted instanceof RegExp)) known = { ...known, ...(await wanted.next(said)) };
  }
}
