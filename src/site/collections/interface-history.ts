/** The releases of the interface (Interface §9), newest first, as the table in the changelog. */

import { readFileSync } from "node:fs";

const CHANGELOG = new URL("../../../CHANGELOG.md", import.meta.url);
const ROW = /^\| (\d+\.\d+\.\d+) \| (\d{4}-\d\d-\d\d) \| (.+) \|$/gm;

export interface Release {
  readonly version: string;
  /** A day, as `2026-09-07`. */
  readonly date: string;
  readonly changes: string;
}

export function readInterfaceHistory(): Release[] {
  const rows = readFileSync(CHANGELOG, "utf8").matchAll(ROW);
  return [...rows].map(([, version = "", date = "", changes = ""]) => ({ version, date, changes }));
}
