/** How large a production install is, and what could be left out of it. */

import { sum } from "./install.ts";
import { megabytes, table } from "./markdown.ts";
import type { Facts } from "./report.ts";
import { COULD_GO } from "./verdicts.ts";

const MEGABYTES_GOAL = 250;
const SECONDS_GOAL = 60;
const LARGEST = 15;

export function renderSize({ installed, packages }: Facts): string {
  const { bytes, seconds, cores, load, sizes, compiledBytes, unloadedBytes } = installed;
  const platform = `${process.platform} ${process.arch}`;
  const largest = [...sizes].toSorted(([, one], [, other]) => other - one).slice(0, LARGEST);
  const versions = new Map(packages.map(({ place, version }) => [place, version]));
  return [
    `\`npm ci --omit=dev\` on a fresh copy, with nothing in npm's cache: ` +
      `**${megabytes(bytes)} MB** (goal: ${MEGABYTES_GOAL}) and **${seconds.toFixed(0)} s** ` +
      `(goal: ${SECONDS_GOAL}) on ${cores} cores with a load of ${load.toFixed(0)} by other ` +
      `programs; ${platform}, npm ${installed.npm}, ${sizes.size} packages. Of it, ` +
      `${megabytes(compiledBytes)} MB are what the install compiled (Decision 0060). Bytes are ` +
      "those of the disk, as `du` counts them. Node is not in it: such an install uses the " +
      "machine's.",
    "The largest packages:",
    table(
      ["package", "version", "MB"],
      largest.map(([place, each]) => {
        const name = place.replace(/^.*node_modules\//, "");
        return [`\`${name}\``, versions.get(place) ?? "", megabytes(each)];
      }),
    ),
    "What could go:",
    table(
      ["what", "MB", "verdict"],
      [
        ...COULD_GO.map(({ what, places, verdict }) => {
          const matching = [...sizes].filter(([place]) => places.test(place));
          return [what, megabytes(sum(matching.map(([, each]) => each))), verdict];
        }),
        [
          "source maps and declarations of types, in all packages",
          megabytes(unloadedBytes),
          "Nothing loads them, but taking files out of packages is not worth an install that " +
            "differs from what was published.",
        ],
      ],
    ),
  ].join("\n\n");
}
