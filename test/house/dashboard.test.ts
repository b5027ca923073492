/**
 * The dashboard that is shipped for Grafana: panels with an id of their own that do not lie on each
 * other, and nothing asked for that is not measured (Decision 0130). That each expression can be
 * read is tried by promtool, in test/alarms/prometheus/rules.test.ts.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Panel, readDashboard } from "../../testkit/dashboard.ts";
import { allMetrics, groupedBy, labelComplaints, labelsOf, metricsIn } from "./metric-facts.ts";

const COLUMNS = 24;
const ROWS = [
  "Ready and traffic",
  "Money",
  "Webhooks and mail",
  "Jobs",
  "Database and standby",
  "Node",
];

const dashboard = readDashboard();
const { panels } = dashboard;
const charts = panels.filter(({ type }) => type !== "row");
const expressions = charts.flatMap(({ targets = [] }) => targets);

function lieOnEachOther({ gridPos: one }: Panel, { gridPos: two }: Panel): boolean {
  const beside = one.x + one.w <= two.x || two.x + two.w <= one.x;
  const below = one.y + one.h <= two.y || two.y + two.h <= one.y;
  return !beside && !below;
}

test("it has a row for each part, and each panel a title and words", () => {
  const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title);
  assert.deepEqual(rows, ROWS);
  const titles = charts.map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  for (const { title, description = "" } of charts) assert.match(description, /^\S.*\.$/, title);
});

test("each panel has an id and a place of its own, within the page", () => {
  const ids = panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [at, one] of panels.entries()) {
    const { x, w, h } = one.gridPos;
    assert(x >= 0 && w > 0 && h > 0 && x + w <= COLUMNS, one.title);
    for (const other of panels.slice(at + 1))
      assert(!lieOnEachOther(one, other), `${one.title} lies on ${other.title}`);
  }
});

test("each panel asks the data source that is chosen on the page", () => {
  const [chosen] = dashboard.templating.list;
  assert.deepEqual(
    [chosen?.name, chosen?.type, chosen?.query],
    ["datasource", "datasource", "prometheus"],
  );
  for (const { title, datasource, targets = [] } of charts) {
    for (const one of [datasource, ...targets.map((target) => target.datasource)])
      assert.deepEqual(one, { type: "prometheus", uid: `\${datasource}` }, title);
    const names = targets.map(({ refId }) => refId);
    assert(names.length > 0 && new Set(names).size === names.length, title);
  }
});

test("each expression asks for metrics that exist, by labels that they have", () => {
  for (const { expr, legendFormat } of expressions) {
    if (expr.includes("ALERTS")) continue;
    const metrics = metricsIn(expr);
    assert(metrics.length > 0, expr);
    assert.deepEqual(labelComplaints(expr), [], expr);
    const known = ["job", "instance", "role", "le", ...metrics.flatMap(labelsOf)];
    for (const label of groupedBy(`${expr} ${legendFormat}`))
      assert(known.includes(label), `${expr}: ${label}`);
  }
});

test("it shows each metric of the service", () => {
  const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)));
  const own = allMetrics().filter((name) => name.startsWith("windward_"));
  const missing = own.filter((name) => !shown.has(name));
  assert.deepEqual(missing, [
    // The age of the last success says as much.
    "windward_restore_test_failed",
    // No curve: it changes once a year, and its alarm comes 30 days before.
    "windward_certificate_ends_timestamp_seconds",
  ]);
});
