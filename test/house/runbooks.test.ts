/**
 * Alarms, runbooks and the code agree (Decision 0130): each alarm has its runbook and each runbook
 * its alarm, built alike; what they and the rules name exists: metrics, labels, jobs of Prometheus,
 * commands with their options, settings.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { SETTINGS } from "../../src/infra/settings.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { shippedAlarms } from "../../testkit/prometheus.ts";
import { PLAYED_ONLY } from "../alarms/prometheus/stage.ts";
import { allMetrics, labelComplaints, metricsIn } from "./metric-facts.ts";
import { projectRoot } from "./project-files.ts";

const FOLDER = "docs/runbooks";
const PARTS = ["What it means", "Who feels it", "Look", "Do", "When it is over", "Never"];
const LINES_MAX = 60;
const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const alarms = shippedAlarms();
const kebab = (name: string) => name.replace(/(?<!^)([A-Z])/g, "-$1").toLowerCase();
const books = new Map(
  readdirSync(path.join(projectRoot, FOLDER))
    .filter((name) => name !== "README.md")
    .map((name) => [`${FOLDER}/${name}`, read(`${FOLDER}/${name}`)]),
);

test("each alarm names a runbook of its own, and each runbook is one's", () => {
  const named = alarms.map(({ annotations }) => annotations.runbook);
  assert.deepEqual(named.toSorted(), [...books.keys()].toSorted());
  for (const { alert, annotations } of alarms)
    assert.equal(annotations.runbook, `${FOLDER}/${kebab(alert)}.md`);
});

test("the list of runbooks has each once, with its severity", () => {
  const rows = [
    ...read(`${FOLDER}/README.md`).matchAll(/^\| \[(\w+)\]\(([\w-]+)\.md\) \| (\w+) /gm),
  ];
  assert.deepEqual(
    rows.map(([, alert, file, severity]) => [alert, file, severity]),
    alarms.map(({ alert, labels }) => [alert, kebab(alert), labels.severity]),
  );
});

test("each alarm says in words what is wrong, and whether somebody gets up", () => {
  for (const { alert, labels, annotations } of alarms) {
    assert.match(labels.severity, /^(page|ticket)$/, alert);
    assert.match(annotations.summary, /^\S.{10,}[^.]$/, alert);
    assert.match(annotations.description, /^[A-Z{].{20,}\.$/, alert);
  }
});

describe("a runbook", () => {
  test("has the same parts as all others, and is short", () => {
    for (const [file, text] of books) {
      const parts = [...text.matchAll(/^## (.*)$/gm)].map(([, part]) => part);
      assert.deepEqual(parts, PARTS, file);
      for (const part of PARTS)
        assert.match(text, new RegExp(`^## ${part}\n\n[^#\\s]`, "m"), `${file}: ${part}`);
      assert(text.split("\n").length <= LINES_MAX, file);
    }
  });

  test("begins with its alarm and severity", () => {
    for (const { alert, labels, annotations } of alarms) {
      const [first, , second = ""] = (books.get(annotations.runbook) ?? "").split("\n");
      assert.equal(first, `# ${alert}`);
      assert(second.startsWith(`\`${labels.severity}\` · `), alert);
    }
  });

  test("types commands of the operator that exist, with options that they take", () => {
    const known = new Map(COMMANDS.map((command) => [command.name, command]));
    let seen = 0;
    for (const [file, text] of books)
      for (const [, name = "", rest = ""] of text.matchAll(/\bop ([a-z][a-z-]+)([^`\n#|]*)/g)) {
        seen += 1;
        const command = known.get(name);
        assert(command !== undefined, `${file}: op ${name}`);
        const taken = [...Object.keys(command.fields), "by", "why", "json"];
        for (const [, option = ""] of rest.matchAll(/ --([a-z-]+)/g))
          assert(taken.includes(option.replaceAll("-", "_")), `${file}: op ${name} --${option}`);
      }
    assert(seen > 40, `${seen} commands`);
  });

  test("names metrics and settings that exist", () => {
    const settings = new Set(SETTINGS.map(({ name }) => name));
    for (const [file, text] of books) {
      for (const name of metricsIn(text))
        assert(
          allMetrics().some((one) => one.startsWith(name)),
          `${file}: ${name}`,
        );
      for (const [, name = ""] of text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g))
        assert(settings.has(name), `${file}: ${name}`);
    }
  });

  test("looks for words that the log has", () => {
    const source = readdirSync(path.join(projectRoot, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(`src/${name}`))
      .join("\n");
    for (const [file, text] of books)
      for (const [, words = ""] of text.matchAll(
        /journalctl -u '?windward[^|\n]*\| grep '([a-z ]+)'/g,
      ))
        assert(source.includes(words), `${file}: ${words}`);
  });
});

test("each alarm is raised by its cause in a test, or it is said why it is only played", () => {
  const folder = "test/alarms/prometheus";
  const causes = readdirSync(path.join(projectRoot, folder))
    .filter((name) => name.endsWith("-causes.test.ts"))
    .map((name) => read(`${folder}/${name}`))
    .join("\n");
  const raised = [...causes.matchAll(/\.raised\(\s*"(\w+)"/g)].map(([, alarm = ""]) => alarm);
  assert.deepEqual(
    [...new Set(raised), ...Object.keys(PLAYED_ONLY)].toSorted(),
    alarms.map(({ alert }) => alert).toSorted(),
  );
});

test("each rule asks for metrics that exist, by labels that they have", () => {
  for (const { alert, expr } of alarms) {
    assert(metricsIn(expr).length > 0 || /\bup\{/.test(expr), alert);
    assert.deepEqual(labelComplaints(expr), [], alert);
  }
});

test("the settings of Prometheus have each job and role that a rule names", () => {
  const { scrape_configs: jobs, rule_files: rules } = parse(read("docs/operations/prometheus.yml"));
  assert.deepEqual(rules, ["/etc/prometheus/alerts.yml"]);
  const known = jobs.map(({ job_name: name }: { job_name: string }) => `job="${name}"`);
  const roles = ["web", "worker"].map((role) => `role="${role}"`);
  const named = alarms.flatMap(({ expr }) => expr.match(/\b(job|role)="\w+"/g) ?? []);
  assert.deepEqual([...new Set(named)].toSorted(), [...known, ...roles].toSorted());
  const [windward] = jobs;
  assert.deepEqual(
    windward.static_configs.map(({ labels }: { labels: object }) => labels),
    [{ role: "web" }, { role: "worker" }],
  );
});
