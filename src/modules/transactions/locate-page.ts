/**
 * Finds a page in the middle of a long list without walking there: by the months, then the days,
 * then the hours, whose counts are known (Decision 0027). What is left to skip is less than the
 * rows of one hour.
 */

import type { Queryable } from "../../infra/db/query.ts";
import {
  type Counted,
  countRanges,
  type Range,
  type Span,
  type SpanName,
} from "./count-history.ts";
import type { HistoryScope } from "./history-filter.ts";

const FINER = { month: "day", day: "hour", hour: undefined } as const satisfies Record<
  SpanName,
  SpanName | undefined
>;

export async function locatePage(
  db: Queryable,
  scope: HistoryScope,
  counted: Counted,
  rowsNewer: number,
): Promise<{ until: Date; skip: number } | undefined> {
  let spans = counted.spans;
  let skip = rowsNewer;
  for (;;) {
    const found = spanAt(spans, skip);
    if (found === undefined) return undefined;
    skip = found.skip;
    const { span, from, until } = found.at;
    const finer = FINER[span];
    if (finer === undefined) return { until, skip };
    const range: Range = { span: finer, from, until };
    spans = (await countRanges(db, scope, [range])).spans;
  }
}

function spanAt(spans: readonly Span[], rows: number): { at: Span; skip: number } | undefined {
  let skip = rows;
  for (const at of spans) {
    if (skip < at.count) return { at, skip };
    skip -= at.count;
  }
  return undefined;
}
