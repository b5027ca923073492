/**
 * Files between us and a bank or the acquirer, on the operator's machine. One that we write is
 * there whole or not at all, readable by its owner only, and never in place of another: it has
 * account numbers in it.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, link, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import { option } from "./fields.ts";

const PATH_LENGTH_MAX = 4_096;
const PRIVATE = 0o600;

export function pathField(about: string) {
  return option(text({ max: PATH_LENGTH_MAX }), "file", about);
}

/** Where the files of a command come from and go to: a disk, or the form and the list of a page. */
export interface ExchangeFiles {
  /** Whole, so that it can be shown. */
  place(typed: string): string;
  /** Checked before anything is done. */
  demandFree(to: string): Promise<void>;
  write(to: string, bytes: Buffer): Promise<void>;
  /** Up to one byte more than allowed, so that the reader can say that it is too much. */
  read(from: string, max: number): Promise<Buffer>;
}

/** A relative path starts in the operator's working directory; npm runs commands elsewhere. */
export function filesOnDisk(folder: string): ExchangeFiles {
  return {
    place: (typed) => path.resolve(folder, typed),
    demandFree: demandFreePath,
    write: writeWhole,
    read: readUpTo,
  };
}

async function demandFreePath(to: string): Promise<void> {
  const taken = await stat(to).then(
    () => true,
    () => false,
  );
  if (taken) throw new OperatorError(`${to} exists already. Name another file.`);
  const folder = path.dirname(to);
  await access(folder, constants.W_OK).catch(() => {
    throw new OperatorError(`Nothing can be written into ${folder}.`);
  });
}

async function writeWhole(to: string, bytes: Buffer): Promise<void> {
  // A name that cannot be guessed, and a new file: what is there is never written into, nor a link
  // followed.
  const part = `${to}.${randomUUID()}.part`;
  const file = await open(part, "wx", PRIVATE);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename it does not replace a file that was put there meanwhile.
    await link(part, to);
  } finally {
    await rm(part, { force: true });
  }
}

async function readUpTo(from: string, max: number): Promise<Buffer> {
  const file = await open(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new OperatorError(`There is no such file: ${from}`);
    throw new OperatorError(`${from} cannot be read: ${error.code ?? error.message}.`);
  });
  try {
    const chunks: Buffer[] = [];
    const stream = file.createReadStream({ end: max, autoClose: false });
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${from} cannot be read: ${code ?? "it is no file"}.`);
  } finally {
    await file.close();
  }
}
