/** The Markdown of a guide, with the address of this service in its examples. */

import { readFileSync } from "node:fs";
import type { Guide } from "./guides.ts";

const ROOT = new URL("../../", import.meta.url);
/** The service's address in the texts. */
const WRITTEN_BASE = "http://localhost:3000";

/** Up to the first command of the tool that is to be typed. */
const TO_FIRST_COMMAND = /^```(?:sh|console)\n(?:(?!```).*\n)*?(?=npx windward )/m;

export function guideText({ file }: Guide, publicUrl: string): string {
  const text = readFileSync(new URL(file, ROOT), "utf8");
  if (publicUrl === WRITTEN_BASE) return text;
  return text
    .replaceAll(WRITTEN_BASE, publicUrl)
    .replace(TO_FIRST_COMMAND, (before) => `${before}export WINDWARD_URL=${publicUrl}\n`);
}
