/** What npm's own audits say, each as one sentence; also when the registry has none. */

import { npm } from "./npm.ts";

/** A registry without audits is asked once: waiting longer does not bring it one. */
const ASKED_ONCE = "--fetch-retries=0";
const LEVELS = ["critical", "high", "moderate", "low", "info"] as const;

interface Advisory {
  readonly name: string;
  readonly severity: string;
}

export interface Audits {
  readonly signatures: string;
  readonly vulnerabilities: string;
}

export async function audits(project: string): Promise<Audits> {
  const signatures = await npm(["audit", "signatures", ASKED_ONCE], project);
  const vulnerabilities = await npm(["audit", "--json", ASKED_ONCE], project);
  return {
    signatures: tellSignatures(signatures),
    vulnerabilities: tellVulnerabilities(vulnerabilities),
  };
}

/** npm writes sentences: "590 packages have verified registry signatures". */
export function tellSignatures({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const told = `${stdout}\n${stderr}`
    .split("\n")
    .filter((line) => /\d+ packages? ha(s|ve) .*(signature|attestation)/.test(line));
  if (told.length === 0) return `not made: ${reasonIn(stderr)}`;
  return told.map((line) => line.trim().replace(/:$/, "")).join("; ");
}

export function tellVulnerabilities({ stdout }: { stdout: string }): string {
  const { message, metadata, vulnerabilities } = JSON.parse(stdout || "{}");
  if (metadata === undefined) return `not made: ${shortened(message ?? "npm said nothing")}`;
  const counts = metadata.vulnerabilities as Record<string, number>;
  if (counts.total === 0) return "no known vulnerability";
  const levels = LEVELS.filter((level) => counts[level]).map(
    (level) => `${counts[level]} ${level}`,
  );
  const names = Object.values(vulnerabilities as Record<string, Advisory>).map(
    ({ name, severity }) => `\`${name}\` (${severity})`,
  );
  return `${levels.join(", ")}: ${names.join(", ")}`;
}

function reasonIn(stderr: string): string {
  const lines = [...stderr.matchAll(/^npm error (.+)$/gm)].map(([, line = ""]) => line);
  const telling = lines.find((line) => /request to|reason|\b[45]\d\d\b/.test(line)) ?? lines[0];
  return shortened(telling ?? "npm said nothing");
}

/** Without addresses, which are each machine's own. */
function shortened(words: string): string {
  return words.replace(/\s*(-\s)?(GET|POST)? ?https?:\/\/\S+/g, "").trim();
}
