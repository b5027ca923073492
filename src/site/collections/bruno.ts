/**
 * A collection as Bruno imports it: one JSON file in its own form, because every version of Bruno
 * can open that with "Import Collection", which turns it into Bruno's folder of files (Decision
 * 0052).
 */

import { type Collection, type CollectionRequest, type Kept, RUN_VARIABLE } from "./collection.ts";
import { SECRET_VARIABLE, SIGN_FIELDS } from "./signing-script.ts";

export function writeBruno(collection: Collection): string {
  const { name, about, variables, requests } = collection;
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  const last = requests.findLast(({ isApart }) => !isApart);
  const made = {
    name,
    version: "1",
    items: [...folders].map(([folder, inside], at) => ({
      type: "folder",
      name: folder,
      seq: at + 1,
      root: { meta: { name: folder, seq: at + 1 } },
      items: namedApart(inside).map((request, place) => ({
        type: "http-request",
        name: request.name,
        seq: place + 1,
        request: requestOf(request, {
          isFirst: at === 0 && place === 0,
          isLast: inside[place] === last,
        }),
      })),
    })),
    environments: [],
    root: {
      docs: about,
      request: {
        auth: { mode: "bearer", bearer: { token: "{{token}}" } },
        vars: {
          req: Object.entries(variables).map(([variable, value]) => entry(variable, value)),
          res: [],
        },
      },
    },
    brunoConfig: { version: "1", name, type: "collection", ignore: ["node_modules", ".git"] },
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}

/** Bruno names files after requests, so that no two of a folder may be called the same. */
function namedApart(requests: readonly CollectionRequest[]): CollectionRequest[] {
  const seen = new Map<string, number>();
  return requests.map((request) => {
    const times = (seen.get(request.name) ?? 0) + 1;
    seen.set(request.name, times);
    return times === 1 ? request : { ...request, name: `${request.name} (${times})` };
  });
}

function requestOf(request: CollectionRequest, place: { isFirst: boolean; isLast: boolean }) {
  const { method, url, query, headers, body, isSigned, expects, keeps, about } = request;
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  const before = [
    ...(place.isFirst ? [START_OF_RUN] : []),
    ...(body?.kind === "multipart" ? [WITH_LINE_ENDS] : []),
    ...(request.signedBody === undefined ? [] : SIGN),
    ...(expects === 303 ? ["req.setMaxRedirects(0);"] : []),
  ];
  const after = [
    ...keeps.map(keeping),
    ...(place.isLast ? ["bru.runner.setNextRequest(null);"] : []),
  ];
  return {
    url: url + (sent.length === 0 ? "" : `?${sent.join("&")}`),
    method,
    headers: Object.entries(headers).map(([name, value]) => entry(name, value)),
    params: query.map(({ name, value, about: description, isSent }) => ({
      name,
      value,
      description,
      type: "query",
      enabled: isSent,
    })),
    auth: isSigned ? { mode: "inherit" } : { mode: "none" },
    body: bodyOf(body),
    script: { req: before.join("\n"), res: after.join("\n") },
    vars: { req: [], res: [] },
    assertions: [entry("res.status", `eq ${expects}`)],
    tests: "",
    docs: about,
  };
}

function entry(name: string, value: string) {
  return { name, value, enabled: true };
}

const START_OF_RUN = `bru.setVar("${RUN_VARIABLE}", require("uuid").v4().slice(0, 8));`;
/** Bruno keeps texts with line feeds alone; the parts of a form end with both. */
const WITH_LINE_ENDS = 'req.setBody(req.getBody().replace(/\\r?\\n/g, "\\r\\n"));';

/** Bruno fills variables in only after this script: so it does that itself. */
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

function keeping({ variable, from }: Kept): string {
  return `bru.setVar("${variable}", ${readingOf(from)});`;
}

function readingOf(from: Kept["from"]): string {
  if ("json" in from) return `res.getBody().${from.json}`;
  const pattern = "text" in from ? from.text : `[?&]${from.redirect}=([^&]*)`;
  const text =
    "redirect" in from
      ? 'res.getHeader("location")'
      : "(typeof res.getBody() === 'string' ? res.getBody() : JSON.stringify(res.getBody()))";
  return `(${text}.match(/${pattern.replaceAll("/", "\\/")}/) || [])[1]`;
}

function bodyOf(body: CollectionRequest["body"]) {
  switch (body?.kind) {
    case undefined:
      return { mode: "none" };
    case "json":
      return { mode: "json", json: JSON.stringify(body.value, null, 2) };
    case "form":
      return {
        mode: "formUrlEncoded",
        formUrlEncoded: Object.entries(body.fields).map(([name, value]) => entry(name, value)),
      };
    case "multipart":
      return { mode: "text", text: body.lines.join("\n") };
  }
}
