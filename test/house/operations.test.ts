/**
 * What docs/operations.md tells an operator is what the program has: its metrics, settings,
 * commands, files, and the way it is started. (That its procedures work is tried by
 * hand, and those of the database by `npm run drill -- --cluster`.)
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { register } from "prom-client";
import "../../src/infra/log.ts";
import "../../src/run-service.ts";
import { SETTINGS } from "../../src/infra/settings.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { shippedAlarms } from "../../testkit/prometheus.ts";
import { projectRoot } from "./project-files.ts";

const FOLDER = path.join(projectRoot, "docs/operations");
const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const page = read("docs/operations.md");
const files = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => read(`docs/operations/${name}`));

function unique(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0]))].toSorted();
}

test("its table of metrics has each metric of the service once, and no other", () => {
  const listed = [...page.matchAll(/^\| `(windward_\w+)` \|/gm)].map((match) => match[1]);
  const known = register.getMetricsAsArray().map(({ name }) => name);
  assert.deepEqual(
    listed.toSorted(),
    known.filter((name) => !/^(process|nodejs)_/.test(name)).toSorted(),
  );
  const ofNode = unique(page, /`((?:process|nodejs)_\w*[a-z])`/g);
  assert.deepEqual(
    ofNode.filter((name) => !known.includes(name)),
    [],
  );
});

test("it names each alarm, at its runbook", () => {
  const named = unique(page, /\[([A-Z]\w+)\]\(runbooks\/[\w-]+\.md\)/g);
  assert.deepEqual(
    named,
    shippedAlarms()
      .map(({ alert }) => alert)
      .toSorted(),
  );
});

test("it and its files name no setting that does not exist", () => {
  const known = new Set(SETTINGS.map(({ name }) => name));
  const named = unique([page, ...files].join("\n"), /(?<![\w/.])[A-Z]+(?:_[A-Z]+)+(?=[=`,;\s)])/g);
  assert(named.length > 10);
  // Others are etcd's, psql's and OpenTelemetry's, and of images PostgreSQL's.
  const others = /^(ETCD(CTL)?_|POSTGRES_|OTEL_|ON_ERROR_STOP$)/;
  const ours = named.filter((name) => !others.test(name));
  assert.deepEqual(
    ours.filter((name) => !known.has(name)),
    [],
  );
});

test("every operator's command that it types exists", () => {
  const known = new Set(COMMANDS.map(({ name }) => name));
  const typed = unique(page, /(?:`op|operator --) ([a-z-]+)/g);
  assert(typed.length > 8);
  assert.deepEqual(
    typed.filter((name) => !known.has(name)),
    [],
  );
});

test("every file that it links to or copies is there", () => {
  const linked = unique(page, /\]\(([^)#:]+)(?:#[^)]*)?\)/g).map((file) => `docs/${file}`);
  const copied = unique(page, /docs\/operations\/[\w@.-]+\w/g);
  assert(linked.length > 6 && copied.length > 4);
  assert.deepEqual(
    [...linked, ...copied].filter((file) => !existsSync(path.join(projectRoot, file))),
    [],
  );
});

test("its units start the service as npm start does", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const units = ["windward-web.service", "windward-worker.service"];
  for (const unit of units) {
    const command = /^ExecStart=\S*\/(node .*)$/m.exec(read(`docs/operations/${unit}`))?.[1];
    assert.equal(command, scripts.start);
  }
});
