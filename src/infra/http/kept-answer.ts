/** Answers that whoever asked may keep until they change: with an ETag, and 304 to who has it. */

import { createHash } from "node:crypto";
import { type TSchema, Type } from "typebox";
import type { Answer } from "./answer.ts";
import type { Call } from "./route.ts";

const KEPT_SECONDS = 3600;

export function keptAnswers(about: string, body: TSchema) {
  return {
    200: { about, body },
    304: {
      about: "The answer that If-None-Match names is still good",
      body: Type.String(),
      contentType: "text/plain",
    },
  };
}

/** `vary`: the headers that decide what is answered, where any do. */
export function kept(
  { header }: Pick<Call<never, never, never>, "header">,
  body: object,
  vary?: string,
): Answer {
  const digest = createHash("sha256").update(JSON.stringify(body)).digest("base64url");
  const etag = `"${digest.slice(0, 22)}"`;
  const headers = {
    etag,
    "cache-control": `public, max-age=${KEPT_SECONDS}`,
    ...(vary === undefined ? {} : { vary }),
  };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim());
  const isKnown = known.some((one) => one === "*" || one.replace(/^W\//, "") === etag);
  if (isKnown) return { status: 304, body: "", contentType: "text/plain", headers };
  return { status: 200, body, headers };
}
