/**
 * Imports a settlement report of the acquirer, and reports what does not agree (Decision 0082).
 * Each batch is a tx of its own, signed like every action: an import that was stopped is repeated.
 */

import { createHash } from "node:crypto";
import { OperatorError } from "../../../kit/errors.ts";
import { type ImportedLine, importLines, LINES_AT_ONCE } from "../../settlement/import-lines.ts";
import { REPORT_BYTES_MAX, readReport } from "../../settlement/read-report.ts";
import type { ReportLine } from "../../settlement/settlement-line.ts";
import { type Act, defineAction, type Report } from "../command.ts";
import { pathField } from "../exchange-file.ts";
import { reportBlocks, tableBlock, words } from "../render.ts";
import { LINE_COLUMNS, viewLine } from "./settlement-view.ts";

export const importSettlement = defineAction({
  name: "import-settlement",
  right: "money",
  about: "take a settlement report of the acquirer",
  more:
    "A CSV file. SETTLEMENT_COLUMNS names its columns. Each line is matched to a payment, and " +
    "the money moves from the clearing account to the bank's. What differs is listed. The exit " +
    "code is 1 then. A file may be imported again: lines that are known change nothing, and " +
    "those that were not matched are looked at again.",
  fields: { file: pathField("What the acquirer has sent.") },
  subject: "file",
  example: {
    given: "settlement.csv",
    shows: `Lines that are not matched
  none
2 lines: 2 new, 2 matched, 0 differ, 0 unknown.`,
    entry: 17,
  },
  async run(ctx, { file }, act) {
    const bytes = await ctx.files.read(ctx.files.place(file), REPORT_BYTES_MAX);
    const lines = readReport(bytes, ctx.config.settlement.columns);
    if (lines.length === 0) throw new OperatorError("The report has no lines.");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const imported: ImportedLine[] = [];
    for (let begin = 0; ; begin += LINES_AT_ONCE) {
      const batch = lines.slice(begin, begin + LINES_AT_ONCE);
      const { done, ...report } = await importBatch(act, { batch, imported, sha256 });
      imported.push(...done.added);
      if (imported.length === lines.length) return report;
      ctx.sayProgress(`${imported.length} of ${lines.length} lines`);
    }
  },
});

function importBatch(
  act: Act,
  given: { batch: readonly ReportLine[]; imported: readonly ImportedLine[]; sha256: string },
) {
  const { batch, imported, sha256 } = given;
  return act(async (tx) => {
    const added = await importLines(tx, batch);
    const detail = { sha256, ...countsOf(added) };
    const entry = { action: "settlement_imported", detail };
    return { entry, ...reportOf([...imported, ...added]), added };
  });
}

function countsOf(imported: readonly ImportedLine[]) {
  const count = (state: string) => imported.filter(({ row }) => row.state === state).length;
  return {
    lines: imported.length,
    new: imported.filter(({ isNew }) => isNew).length,
    matched: count("matched"),
    differ: count("differs"),
    unknown: count("unknown"),
  };
}

function reportOf(imported: readonly ImportedLine[]): Report {
  const counts = countsOf(imported);
  const rows = imported.map(({ row }) => row).filter(({ state }) => state !== "matched");
  const shown = rows.map(viewLine);
  const sum =
    `${counts.lines} lines: ${counts.new} new, ${counts.matched} matched, ` +
    `${counts.differ} differ, ${counts.unknown} unknown.`;
  return {
    ...reportBlocks({ ...counts, not_matched: shown }, [
      tableBlock("Lines that are not matched", shown, LINE_COLUMNS),
      words(sum),
    ]),
    isBad: rows.length > 0,
  };
}
