/**
 * Writes `.env.example` from the settings the service declares: `node scripts/env-example.ts`.
 * Every line is commented out, because the service starts with none of them set.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { SETTINGS } from "../src/infra/settings.ts";

interface Setting {
  readonly name: string;
  readonly about: string;
  readonly default?: string;
  readonly example?: string;
}

const COLUMNS_MAX = 90;

const HEADER =
  "Every setting of the service, made from src/infra/settings.ts. Copy this file to .env and " +
  "uncomment what differs. A value shown is the default, or an example where the text says " +
  "what holds without it.";

export function renderEnvExample(settings: readonly Setting[]): string {
  return [commented(HEADER), ...settings.map(renderSetting)].join("\n\n").concat("\n");
}

function renderSetting({ name, about, default: preset, example }: Setting): string {
  return `${commented(about)}\n# ${name}=${preset ?? example ?? ""}`;
}

/** A word longer than the line stands alone: cutting an address in two would spoil it. */
function commented(text: string): string {
  const lines: string[] = [];
  let line = "#";
  for (const word of text.split(/\s+/)) {
    if (line !== "#" && line.length + 1 + word.length > COLUMNS_MAX) {
      lines.push(line);
      line = "#";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, "../.env.example");
  writeFileSync(file, renderEnvExample(SETTINGS));
}
