/**
 * The guarantee: the shipped script tells Prometheus when each certificate of a machine ends, and
 * one that cannot be read as ended, so that CertificateEnds is raised in time.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../docs/operations/certificates.sh", import.meta.url));
const read = (name: string) => readFileSync(path.join(path.dirname(SCRIPT), name), "utf8");
const DAY_SECONDS = 86_400;
const folder = mkdtempSync(path.join(tmpdir(), "windward-certificates-"));
after(() => rmSync(folder, { recursive: true }));

function certificate(name: string, days: number): string {
  const file = path.join(folder, name);
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"].concat([
      "-days",
      String(days),
      "-subj",
      "/CN=test",
      "-keyout",
      `${file}.key`,
      "-out",
      file,
    ]),
    { stdio: "ignore" },
  );
  return file;
}

test("the guide installs the script, its unit and its timer, and enables the timer", () => {
  const [installed = ""] =
    /^cd \S+ && install [^\n]* certificates\.sh\n[\s\S]*?```/m.exec(read("../operations.md")) ?? [];
  assert.match(installed, /cp windward-certificates\.service windward-certificates\.timer /);
  assert.match(installed, /enable --now windward-certificates\.timer/);
  const [, program = ""] = /^ExecStart=(.*)$/m.exec(read("windward-certificates.service")) ?? [];
  assert.ok(installed.includes(` -t ${path.dirname(program)} ${path.basename(program)}`));
});

test("each certificate's end is told, an unreadable one as ended, one that is not there not", () => {
  const [soon, later] = [certificate("soon.crt", 20), certificate("later.crt", 365)];
  // As HAProxy has it: the certificate, then its key.
  const whole = path.join(folder, "whole.pem");
  writeFileSync(whole, readFileSync(soon, "utf8") + readFileSync(`${soon}.key`, "utf8"));
  const broken = path.join(folder, "broken.crt");
  writeFileSync(broken, "no certificate");
  const report = path.join(folder, "report.prom");
  const files = [soon, later, whole, broken, path.join(folder, "absent.crt")];
  execFileSync("sh", [SCRIPT, ...files], { env: { PATH: process.env.PATH, REPORT: report } });
  const now = Math.floor(Date.now() / 1000);
  const told = [...readFileSync(report, "utf8").matchAll(/\{file="([^"]+)"\} (\d+)/g)].map(
    ([, file, ends]) => [file, ends === "0" ? 0 : Math.round((Number(ends) - now) / DAY_SECONDS)],
  );
  assert.deepEqual(told, [
    [soon, 20],
    [later, 365],
    [whole, 20],
    [broken, 0],
  ]);
});
