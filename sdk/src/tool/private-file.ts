/**
 * Files of the tool: sign-ins and secrets under the configuration folder, positions of `listen`
 * under the state folder. Folders have mode 700 and files 600, also when they existed before. A
 * write is atomic and on disk before it returns, so a kill leaves the old file or the new one.
 */

import { chmod, type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { ToolError } from "./tool-error.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export function configFolder(): string {
  return folderOf("XDG_CONFIG_HOME", ".config");
}

export function stateFolder(): string {
  return folderOf("XDG_STATE_HOME", path.join(".local", "state"));
}

/** A relative path in these variables is invalid and ignored, as the XDG specification says. */
function folderOf(variable: string, fallback: string): string {
  const named = process.env[variable] ?? "";
  return path.join(path.isAbsolute(named) ? named : path.join(homedir(), fallback), "windward");
}

/** Undefined when there is none. */
export async function readPrivate(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined when there is none. `next` says what to do about one that cannot be read. */
// biome-ignore lint/suspicious/noExplicitAny: the caller knows what it wrote
export async function readPrivateJson(file: string, next: string): Promise<any> {
  const text = await readPrivate(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ToolError(`${file} is not JSON.`, next);
  }
}

export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await chmod(folder, FOLDER_MODE);
}

/** The folder exists. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.new`;
  // Removed first: a file that is there keeps its mode.
  await rm(temporary, { force: true });
  const handle = await open(temporary, "wx", FILE_MODE);
  try {
    await writeAll(handle, { file, text });
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(path.dirname(file));
}

/** What fails in an open file, as on a full disk, does not say in which one. */
export async function writeAll(
  handle: FileHandle,
  { file, text }: { file: string; text: string },
): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}

/** Else a power cut could undo the rename. Windows cannot open a folder, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
