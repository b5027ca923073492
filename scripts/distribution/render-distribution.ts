/**
 * The table in docs/capacity.md: what the catalogs say of each table's keys, and beside it the
 * words written by hand (`places.ts`).
 */

import { tableText } from "../capacity/tables-of-markdown.ts";
import type { KeyFacts } from "./key-facts.ts";
import type { Place, Places } from "./place.ts";

export function withoutPlace(facts: readonly KeyFacts[], places: Places): string[] {
  return facts.map(({ table }) => table).filter((table) => places[table] === undefined);
}

export function distributionTable(facts: readonly KeyFacts[], places: Places): string {
  const heads = [
    ...["table", "column", "in its key", "else unique without it", "leads on without it"],
    ...["triggers", "rows live", "what would change"],
  ];
  const rows = facts.map((one) => cellsOf(one, places[one.table]));
  return tableText([heads, heads.map(() => "---"), ...rows, totalOf(facts)]);
}

function cellsOf(facts: KeyFacts, place: Place | undefined): string[] {
  const { rowTriggerCount: ofRow, statementTriggerCount: ofStatement } = facts;
  return [
    `\`${facts.table}\``,
    facts.hasColumn ? "yes" : "",
    facts.isInPrimaryKey ? "yes" : facts.hasPrimaryKey ? "" : "has none",
    facts.uniqueWithoutIt.map((columns) => `\`${columns}\``).join("; "),
    facts.leadsToWithoutIt.map((table) => `\`${table}\``).join(", "),
    ofRow + ofStatement === 0 ? "" : `${ofRow} + ${ofStatement}`,
    place === undefined ? "" : livesIn(place),
    place?.change ?? "",
  ];
}

function livesIn(place: Place): string {
  if (!("way" in place)) return place.lives;
  if ("column" in place.way) return place.lives;
  const { by, of } = place.way;
  const targets = [...new Set(of.map(({ table }) => table))].join(", ");
  return `${place.lives}, by \`${by.replaceAll(" || ' ' || ", ", ")}\` of ${targets}`;
}

function totalOf(facts: readonly KeyFacts[]): string[] {
  const count = (of: (one: KeyFacts) => boolean) => String(facts.filter(of).length);
  const sum = (of: (one: KeyFacts) => number) => facts.reduce((total, one) => total + of(one), 0);
  return [
    `**${facts.length} tables**`,
    count(({ hasColumn }) => hasColumn),
    count(({ isInPrimaryKey }) => isInPrimaryKey),
    count(({ uniqueWithoutIt }) => uniqueWithoutIt.length > 0),
    count(({ leadsToWithoutIt }) => leadsToWithoutIt.length > 0),
    `${sum((one) => one.rowTriggerCount)} + ${sum((one) => one.statementTriggerCount)}`,
    "",
    "",
  ];
}
