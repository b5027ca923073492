/**
 * What must be true of every answer beside its documented shape: it is none of our own mistakes,
 * and it tells no secret, neither one that was sent nor one that is kept.
 */

import assert from "node:assert/strict";
import type { Config } from "../../src/infra/config.ts";
import type { TestAnswer } from "../service.ts";
import type { ReadyRequest } from "./cast.ts";
import { ODD_TAG } from "./odd-values.ts";

/** Shorter ones may stand in an answer by chance. */
const SECRET_LENGTH_MIN = 8;
const SECRET_FIELDS = ["password", "old_password", "new_password", "confirm_password", "number"];
const KEPT = /\$argon2id\$|-----BEGIN/;

export function judgeAnswer(
  config: Pick<Config, "tokenPeppers" | "wrappingKeys">,
  sent: ReadyRequest,
  { status, text, headers }: TestAnswer,
): void {
  assert(status < 500, `${status} ${text}`);
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  assert(!isPage || !text.includes(ODD_TAG), "the page has a tag that somebody typed");
  assert.doesNotMatch(text, KEPT, "the answer shows what is kept as a secret");
  for (const secret of [...sentSecrets(sent), ...ownSecrets(config)])
    assert(!text.includes(secret), `the answer shows a secret: ${secret.slice(0, 4)}…`);
}

/** A secret that was sent in another field as well is no secret there. */
function sentSecrets({ token, key, json, form, path, headers }: ReadyRequest): string[] {
  const session = /\bwindward(?:-operator)?=([\w-]{20,})/.exec(headers?.cookie ?? "")?.[1];
  const fields = Object.entries({ ...(Object(json ?? {}) as object), ...form });
  const texts = fields.filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const open = texts.filter(([name]) => !SECRET_FIELDS.includes(name)).map(([, value]) => value);
  const hidden = texts.filter(([name]) => SECRET_FIELDS.includes(name)).map(([, value]) => value);
  return [token, key, session, ...hidden].filter(
    (one): one is string =>
      one !== undefined &&
      [...one.trim()].length >= SECRET_LENGTH_MIN &&
      !path.includes(one) &&
      !open.some((text) => text.includes(one)),
  );
}

function ownSecrets({ tokenPeppers, wrappingKeys }: Parameters<typeof judgeAnswer>[0]): string[] {
  const keys = [...tokenPeppers.all, ...wrappingKeys.all];
  return keys.flatMap(({ bytes }) => [bytes.toString("base64"), bytes.toString("hex")]);
}

const LOGGED_SECRET = new RegExp(
  [
    "svc_(?:live|test|rt)_[0-9a-f]{8}",
    "eyJ[\\w-]{20,}\\.",
    "whsec_[A-Za-z0-9+/]{16}",
    "\\$argon2id\\$",
    "4111 ?1111 ?1111",
    "401[02]0[01]0000\\d{6}",
  ].join("|"),
);

/** Lines that tell a secret, and mistakes of our own. */
export function badLines(logged: readonly string[], allowed: readonly string[] = []): string[] {
  return logged.filter(
    (line) =>
      LOGGED_SECRET.test(line) ||
      (/"level":[56]0/.test(line) && !allowed.some((message) => line.includes(message))),
  );
}
