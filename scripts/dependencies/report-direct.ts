/** The packages that we chose ourselves. */

import { sum } from "./install.ts";
import { broughtBy, type Direct } from "./lock-file.ts";
import { count, megabytes, table } from "./markdown.ts";
import { answerOn, type Told } from "./registry.ts";
import type { Facts } from "./report.ts";
import { DEVELOPMENT, PRODUCTION } from "./verdicts.ts";

export function renderProduction(facts: Facts): string {
  const { production, lock, answers } = facts;
  const rows = production.toSorted(byName).map((one) => {
    const told = answerOn(answers, one);
    return [
      `\`${one.name}\``,
      one.version,
      lock[one.place]?.license ?? "none",
      weightOf(facts, one),
      String(told.maintainers ?? "?"),
      releaseOf(told),
      newerOf(one, told),
      lock[one.place]?.hasInstallScript ? "yes" : "no",
      withdrawn(told) + (PRODUCTION[one.name] ?? "no verdict yet"),
    ];
  });
  const heads = "package,version,licence,MB,maintainers,last release,newer,install script,verdict";
  return (
    "MB are those of the package itself; behind them, what would go with it: packages that " +
    "nothing else needs, of those that this machine's platform gets.\n\n" +
    table(heads.split(","), rows)
  );
}

export function renderDevelopment({ development, lock, answers }: Facts): string {
  const rows = development.toSorted(byName).map((one) => {
    const told = answerOn(answers, one);
    return [
      `\`${one.name}\``,
      one.version,
      lock[one.place]?.license ?? "none",
      newerOf(one, told),
      withdrawn(told) + (DEVELOPMENT[one.name] ?? "no verdict yet"),
    ];
  });
  return table(["package", "version", "licence", "newer", "what for"], rows);
}

function weightOf({ lock, production, installed }: Facts, one: Direct): string {
  const own = installed.sizes.get(one.place) ?? 0;
  const brought = [...broughtBy(lock, one, production)].filter((place) => place !== one.place);
  const sizes = brought.flatMap((place) => installed.sizes.get(place) ?? []);
  if (sizes.length === 0) return megabytes(own);
  return `${megabytes(own)} + ${megabytes(sum(sizes))} in ${count(sizes.length, "package")}`;
}

function releaseOf({ releasedOn, isFromCopy }: Told): string {
  return isFromCopy ? `by ${releasedOn}` : releasedOn;
}

/** One that promises to change nothing, or the newest. */
function newerOf({ version }: Direct, { newest, newestAlike }: Told): string {
  if (newestAlike === version) return newest === version ? "" : newest;
  return newest === newestAlike ? newest : `${newestAlike}, ${newest}`;
}

function withdrawn({ deprecated }: Told): string {
  return deprecated === undefined ? "" : "**Withdrawn by its authors.** ";
}

function byName(one: Direct, other: Direct): number {
  return one.name.localeCompare(other.name, "en");
}
