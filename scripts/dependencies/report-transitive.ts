/** What the packages of production bring along. */

import { duplicates, type Package } from "./lock-file.ts";
import { count, listed, table } from "./markdown.ts";
import { answerOn } from "./registry.ts";
import type { Facts } from "./report.ts";
import { LICENCES } from "./verdicts.ts";

const YEARS_MAX = 3;

export function renderTransitive(facts: Facts): string {
  const { packages, production, installed } = facts;
  const chosen = new Set(production.map(({ place }) => place));
  const brought = packages.filter(({ place }) => !chosen.has(place));
  const here = brought.filter(({ place }) => installed.sizes.has(place));
  return [
    `${packages.length} packages in all: ${production.length} chosen, ${here.length} that they ` +
      `bring here, and ${brought.length - here.length} that hold the programs of other platforms.`,
    licences(packages),
    [
      `- Install scripts: ${scripts(packages)}`,
      `- ${oldOnes(facts, brought)}`,
      `- ${lonelyOnes(facts, brought)}`,
      `- Withdrawn by their authors: ${withdrawnOnes(facts, brought)}`,
      `- In two versions: ${twice(packages)}`,
    ].join("\n"),
  ].join("\n\n");
}

function licences(packages: readonly Package[]): string {
  const groups = [...Map.groupBy(packages, ({ license }) => license ?? "none")].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const rows = groups.map(([licence, each]) => {
    return [licence, String(each.length), LICENCES[licence] ?? "**not judged yet**"];
  });
  return table(["licence", "packages", "what it asks"], rows);
}

function scripts(packages: readonly Package[]): string {
  const names = packages.filter(({ hasInstallScript }) => hasInstallScript);
  return `${orNone(names.map(({ name }) => name))} package.json names those that npm may run.`;
}

function oldOnes({ answers, measuredOn }: Facts, packages: readonly Package[]): string {
  const title = `Without a release for ${YEARS_MAX} years: `;
  if (packages.some((each) => answerOn(answers, each).isFromCopy))
    return `${title}not known, because the registry's dates are those of a copy.`;
  const [year = "", ...rest] = measuredOn.split("-");
  const limit = [Number(year) - YEARS_MAX, ...rest].join("-");
  const old = packages.filter((each) => answerOn(answers, each).releasedOn < limit);
  return title + orNone(old.map(({ name }) => name));
}

function lonelyOnes({ answers }: Facts, packages: readonly Package[]): string {
  const title = "With one maintainer: ";
  if (packages.every((each) => answerOn(answers, each).maintainers === undefined))
    return `${title}not known, because the registry names none.`;
  const lonely = packages.filter((each) => answerOn(answers, each).maintainers === 1);
  return title + orNone(lonely.map(({ name }) => name));
}

function withdrawnOnes({ answers }: Facts, packages: readonly Package[]): string {
  if (packages.some((each) => answerOn(answers, each).isFromCopy))
    return "not known, because a copy does not tell.";
  const gone = packages.filter((each) => answerOn(answers, each).deprecated !== undefined);
  return orNone(gone.map(({ name, version }) => `${name} ${version}`));
}

function twice(packages: readonly Package[]): string {
  const each = duplicates(packages);
  if (each.length === 0) return "none.";
  const words = each.map(({ name, versions }) => `\`${name}\` ${versions.join(" and ")}`);
  return `${count(each.length, "package")}. ${words.join(", ")}.`;
}

function orNone(names: readonly string[]): string {
  if (names.length === 0) return "none.";
  return `${count(names.length, "package")}. ${listed([...new Set(names)])}.`;
}
