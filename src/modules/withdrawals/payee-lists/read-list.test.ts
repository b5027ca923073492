/** The template of a list of payees passes the check of lists, in every country. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { platformOf } from "../../platforms/platform.ts";
import { listTemplate, readList, requestOf } from "./read-list.ts";

for (const country of COUNTRY_CODES)
  test(`the template of ${country} has two lines that can be paid`, () => {
    const platform = platformOf(country);
    const { lines, problems } = readList(Buffer.from(listTemplate(platform)), platform);
    assert.deepEqual(problems, []);
    const types = lines.map((line) => requestOf(line, platform, "sandbox").withdrawal_type);
    assert.deepEqual(types, ["sub_banked", "sub_unbanked"]);
  });
