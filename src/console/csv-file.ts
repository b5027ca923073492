/** A CSV file as an answer: browsers save it under its name. */

import type { Answer } from "../infra/http/answer.ts";
import { CSV_TYPE } from "../modules/transactions/history-csv.ts";

export function csvFile(name: string, body: Answer["body"]): Answer {
  const headers = { "content-disposition": `attachment; filename="${name}"` };
  return { status: 200, body, contentType: CSV_TYPE, headers };
}
