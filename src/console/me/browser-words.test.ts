/** A session is recognised by the names of its browser and system. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserWords } from "./browser-words.ts";

const CHROME = "(KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

for (const [agent, words] of [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${CHROME}`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 ${CHROME} Edg/142.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 ${CHROME}`, "Chrome on Android"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/605.1.15",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["unknown", "unknown"],
] as const)
  test(`"${words}"`, () => {
    assert.equal(browserWords(agent), words);
  });
