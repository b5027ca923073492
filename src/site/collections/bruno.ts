/**
 * A collection for Bruno, as one JSON file: every version of Bruno opens it with "Import
 * Collection" and makes its own folder of files from it (Decision 0052).
 */

import { addressOf, type Collection, type CollectionRequest, RUN_VARIABLE } from "./collection.ts";
import { SECRET_VARIABLE, SIGN_FIELDS, valueIn } from "./scripts.ts";

export function writeBruno({ name, about, variables, requests }: Collection): object {
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  return {
    name,
    version: "1",
    items: [...folders].map(([folder, inside], at) => ({
      type: "folder",
      name: folder,
      seq: at + 1,
      root: { meta: { name: folder, seq: at + 1 } },
      items: withUniqueNames(inside).map((request, place) => ({
        type: "http-request",
        name: request.name,
        seq: place + 1,
        request: requestOf(request),
      })),
    })),
    environments: [],
    root: {
      docs: about,
      request: {
        auth: { mode: "bearer", bearer: { token: "{{token}}" } },
        vars: { req: entries(variables), res: [] },
      },
    },
    brunoConfig: { version: "1", name, type: "collection", ignore: ["node_modules", ".git"] },
  };
}

/** Bruno names files after requests, so names must be unique within a folder. */
function withUniqueNames(requests: readonly CollectionRequest[]): CollectionRequest[] {
  const seen = new Map<string, number>();
  return requests.map((request) => {
    const times = (seen.get(request.name) ?? 0) + 1;
    seen.set(request.name, times);
    return times === 1 ? request : { ...request, name: `${request.name} (${times})` };
  });
}

function requestOf(request: CollectionRequest) {
  const { method, query, headers, body, isSigned, expects, about } = request;
  return {
    url: addressOf(request),
    method,
    headers: entries(headers),
    params: query.map(({ name, value, about: description, isSent }) => ({
      name,
      value,
      description,
      type: "query",
      enabled: isSent,
    })),
    auth: { mode: isSigned ? "inherit" : "none" },
    body: bodyOf(body),
    script: scriptOf(request),
    vars: { req: [], res: [] },
    assertions: entries({ "res.status": `eq ${expects}` }),
    tests: "",
    docs: about,
  };
}

function entries(values: Readonly<Record<string, string>>) {
  return Object.entries(values).map(([name, value]) => ({ name, value, enabled: true }));
}

const START_OF_RUN = `bru.setVar("${RUN_VARIABLE}", require("uuid").v4().slice(0, 8));`;
/** Bruno stores texts with line feeds only; the parts of a form end with CRLF. */
const WITH_LINE_ENDS = 'req.setBody(req.getBody().replace(/\\r?\\n/g, "\\r\\n"));';

/** Bruno replaces variables only after this script, so the script does it itself. */
const SIGN = [
  "const known = (name) => bru.getVar(name) ?? bru.getCollectionVar(name) ?? '';",
  "const filled = (text) => text.replace(/\\{\\{(\\w+)\\}\\}/g, (_, name) => filled(known(name)));",
  "const sent = req.getBody();",
  "const body = typeof sent === 'string' ? sent : JSON.stringify(sent);",
  "const fields = JSON.parse(filled(body));",
  `const secret = known("${SECRET_VARIABLE}");`,
  ...SIGN_FIELDS,
  "req.setBody({ ...fields, signature });",
];

const ANSWER = {
  json: "res.getBody()",
  text: "(typeof res.getBody() === 'string' ? res.getBody() : JSON.stringify(res.getBody()))",
  location: 'res.getHeader("location")',
};

function scriptOf({ isFirst, isLast, body, signedBody, expects, keeps }: CollectionRequest) {
  const before = [
    ...(isFirst ? [START_OF_RUN] : []),
    ...(body?.kind === "multipart" ? [WITH_LINE_ENDS] : []),
    ...(signedBody ? SIGN : []),
    ...(expects === 303 ? ["req.setMaxRedirects(0);"] : []),
  ];
  const after = [
    ...keeps.map(({ variable, from }) => `bru.setVar("${variable}", ${valueIn(ANSWER, from)});`),
    ...(isLast ? ["bru.runner.setNextRequest(null);"] : []),
  ];
  return { req: before.join("\n"), res: after.join("\n") };
}

function bodyOf(body: CollectionRequest["body"]) {
  if (body === undefined) return { mode: "none" };
  if (body.kind === "form") return { mode: "formUrlEncoded", formUrlEncoded: entries(body.fields) };
  return body.kind === "json"
    ? { mode: "json", json: body.text }
    : { mode: "text", text: body.text };
}
