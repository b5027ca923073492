/** The report of an exam for build servers: JUnit's XML, as they all read it. */

import type { CaseResult, ExamResult } from "./run-exam.ts";

export function junitOf({ grade, failed, unseen, cases }: ExamResult): string {
  const seconds = cases.reduce((sum, each) => sum + each.seconds, 0).toFixed(3);
  const counts =
    `tests="${cases.length}" failures="${failed}" errors="0" skipped="${unseen}" ` +
    `time="${seconds}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="windward exam" ${counts}>`,
    `  <testsuite name="windward exam" ${counts}>`,
    `    <properties><property name="grade" value="${grade}"/></properties>`,
    ...cases.map(caseXml),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseXml(one: CaseResult): string {
  const { case: name, title, verdict, sent, correct, did, mend = "", seconds } = one;
  const attributes =
    `classname="windward.exam.${escaped(name)}" name="${escaped(title)}" ` +
    `time="${seconds.toFixed(3)}"`;
  const account = escaped(
    `Sent: ${sent}.\nA correct shop: ${correct}.\nThis one: ${did}.\nTo mend it: ${mend}`,
  );
  if (verdict === "passed") return `    <testcase ${attributes}/>`;
  if (verdict === "unseen")
    return `    <testcase ${attributes}><skipped message="${escaped(did)}"/></testcase>`;
  const failure = `<failure message="${escaped(did)}">${account}</failure>`;
  return `    <testcase ${attributes}>${failure}</testcase>`;
}

/** Control characters are not allowed in XML 1.0, escaped or not. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\uffff]/g, "?")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
