/** A place that the search looks into: the tables that it found something for, if any. */

import type { Database } from "../../../infra/db/database.ts";
import { type Block, tableBlock } from "../render.ts";

export interface Looking {
  readonly db: Database;
  /** By `performance.now()`. */
  readonly stopAt: number;
  sayProgress(text: string): void;
}

export type Finder = (looking: Looking) => Promise<readonly Block[]>;

/** Of each kind at most so many; the lists of their own show more. */
export const FOUND_MAX = 25;

/** Nothing at all where there are no rows: the search names only what it found. */
export function foundBlock<R>(
  title: string,
  rows: readonly R[],
  columns: Parameters<typeof tableBlock<R>>[2],
): readonly Block[] {
  if (rows.length === 0) return [];
  const block = tableBlock(title, rows.slice(0, FOUND_MAX), columns);
  if (block.kind !== "table" || rows.length <= FOUND_MAX) return [block];
  return [{ ...block, more: `the newest ${FOUND_MAX} are shown` }];
}
