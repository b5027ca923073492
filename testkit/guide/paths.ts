/** Paths of docs/operations.md, where a folder stands for a machine. */

import path from "node:path";
import { PROJECT } from "./blocks.ts";

/** Where restore.sh is told to put a copy. */
export const RESTORED = "/var/lib/postgresql/15/restored";
/** Folders that each machine has for itself. */
const OWN_FOLDERS = [
  "/etc/patroni",
  "/etc/default",
  "/etc/systemd",
  "/etc/haproxy",
  "/run/haproxy",
  "/var/lib/postgresql",
  "/var/lib/etcd",
  "/var/run/postgresql",
  "/var/lib/pgbackrest",
  "/var/lib/prometheus",
  "/usr/local/lib/windward",
  "/etc/pgbackrest",
  "/etc/windward-backup",
  "/usr/lib/postgresql/15/bin",
];
/** What an operator carries from one machine to the others. */
const COMMON_FOLDERS = ["/etc/windward-ca"];

/** A path, or a text with paths, as they are on the machine of this folder. */
export function inFolder(folder: string, words: string): string {
  let told = words.replaceAll("/opt/windward", PROJECT);
  for (const each of OWN_FOLDERS) told = told.replaceAll(each, folder + each);
  const common = path.dirname(folder);
  for (const each of COMMON_FOLDERS) told = told.replaceAll(each, common + each);
  return told;
}
