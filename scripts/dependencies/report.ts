/** docs/dependencies.md, from what was measured and from our verdicts. */

import type { Audits } from "./audits.ts";
import type { Installed } from "./install.ts";
import type { Direct, Lock, Package } from "./lock-file.ts";
import { listed } from "./markdown.ts";
import type { Answers } from "./registry.ts";
import { renderDevelopment, renderProduction } from "./report-direct.ts";
import { renderSize } from "./report-size.ts";
import { renderTransitive } from "./report-transitive.ts";

export interface Facts {
  readonly lock: Lock;
  /** Of production, direct ones and others. */
  readonly packages: readonly Package[];
  readonly production: readonly Direct[];
  readonly development: readonly Direct[];
  readonly answers: Answers;
  readonly installed: Installed;
  readonly audited: Audits;
  /** yyyy-mm-dd */
  readonly measuredOn: string;
}

export function renderReport(facts: Facts): string {
  const parts = [
    "# Dependencies",
    `What others wrote that Windward is made of, measured on ${facts.measuredOn} by ` +
      "`npm run deps`, which writes this page. Figures are of that day; a test compares " +
      "names and versions with package-lock.json. The verdicts are ours " +
      "(`scripts/dependencies/verdicts.ts`). `npm run sbom` lists the same packages for machines.",
    aboutRegistry(facts),
    "## In production",
    renderProduction(facts),
    "## In development",
    renderDevelopment(facts),
    "## What they bring",
    renderTransitive(facts),
    "## npm's audits",
    renderAudits(facts),
    "## Size",
    renderSize(facts),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** What a reader must know before believing an empty cell. */
function aboutRegistry({ answers }: Facts): string {
  const told = [...answers.values()];
  if (told.every(({ isFromCopy }) => !isFromCopy)) return "";
  return (
    "The registry that was asked is a copy of the public one and knows less: it names no " +
    "maintainers (?), does not say what was withdrawn, and dates a release by when it took it " +
    "over, so that it was made _by_ then. Asked of the public registry, the same command fills " +
    "what is missing."
  );
}

function renderAudits({ packages, audited }: Facts): string {
  const unsealed = packages.filter(({ integrity }) => integrity === undefined);
  const seals =
    unsealed.length === 0
      ? `Each of the ${packages.length} packages of production`
      : `All packages of production but ${listed(unsealed.map(({ name }) => name))}`;
  return [
    `- \`npm audit signatures\`: ${audited.signatures}.`,
    `- \`npm audit\`: ${audited.vulnerabilities}.`,
    `- ${seals} has its SHA-512 in package-lock.json, and \`npm ci\` refuses one that differs.`,
  ].join("\n");
}
