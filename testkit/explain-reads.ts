/** What PostgreSQL reads for statements: how many rows of which table, and by which index. */

import type { Database } from "../src/infra/db/database.ts";
import { type Queryable, queryable, type Statement } from "../src/infra/db/query.ts";

interface Node {
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}
export interface Read {
  readonly table: string;
  readonly by: string;
  readonly rows: number;
}

/** The same database, but each statement is explained as well. */
export function watching({ pool }: Database, reads: Read[]): Queryable {
  return queryable(async (statement: Statement) => {
    const { text, values } = statement;
    const told = await pool.query(`explain (analyze, format json) ${text}`, values);
    note(told.rows[0]["QUERY PLAN"][0].Plan);
    return pool.query(text, values);
  });
  function note(node: Node): void {
    for (const inner of node.Plans ?? []) note(inner);
    const table = node["Relation Name"];
    if (table === undefined) return;
    const each = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
    // A bitmap names its index one level below.
    const by = node["Index Name"] ?? node.Plans?.[0]?.["Index Name"] ?? node["Node Type"];
    reads.push({ table, by, rows: Math.round(each * node["Actual Loops"]) });
  }
}
