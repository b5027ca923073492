/**
 * A collection as Postman reads it, form 2.1 (Decision 0052). Newman runs the same file. Every
 * request says in a test which status it expects, and its script keeps what later ones need.
 */

import { type Collection, type CollectionRequest, type Kept, RUN_VARIABLE } from "./collection.ts";
import { SECRET_VARIABLE, SIGN_FIELDS, SIGNATURE_VARIABLE } from "./signing-script.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

export function writePostman(collection: Collection): string {
  const { name, version, about, variables, requests } = collection;
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  const last = requests.findLast(({ isApart }) => !isApart);
  const made = {
    info: { name, description: about, version, schema: SCHEMA },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: "string" })),
    item: [...folders].map(([folder, inside]) => ({
      name: folder,
      item: inside.map((request) =>
        itemOf(request, { isFirst: request === requests[0], isLast: request === last }),
      ),
    })),
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}

interface Place {
  readonly isFirst: boolean;
  /** What comes after it is not part of a run. */
  readonly isLast: boolean;
}

function itemOf(request: CollectionRequest, place: Place) {
  const { name, about, method, url, query, headers, body, isSigned, expects } = request;
  const [host = "", ...path] = url.split("/");
  return {
    name,
    event: [
      ...(place.isFirst ? [scriptOf("prerequest", [START_OF_RUN])] : []),
      ...(request.signedBody === undefined ? [] : [scriptOf("prerequest", SIGN)]),
      scriptOf("test", [
        `pm.test("answers ${expects}", () => pm.response.to.have.status(${expects}));`,
        ...request.keeps.map(keeping),
        ...(place.isLast ? ["pm.execution.setNextRequest(null);"] : []),
      ]),
    ],
    // A redirect leads the customer's browser to the shop, which is not part of this.
    protocolProfileBehavior: { followRedirects: false },
    request: {
      method,
      description: about,
      ...(isSigned ? {} : { auth: { type: "noauth" } }),
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url: {
        raw: url + searchOf(query),
        host: [host],
        path,
        query: query.map((part) => ({
          key: part.name,
          value: part.value,
          description: part.about,
          disabled: !part.isSent,
        })),
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    },
    response: [],
  };
}

const START_OF_RUN =
  `pm.collectionVariables.set("${RUN_VARIABLE}", ` +
  'pm.variables.replaceIn("{{$guid}}").slice(0, 8));';

/** The body has the variable; here it gets its value. */
const SIGN = [
  "const fields = JSON.parse(pm.variables.replaceIn(pm.request.body.raw));",
  `const secret = pm.variables.get("${SECRET_VARIABLE}");`,
  ...SIGN_FIELDS,
  `pm.collectionVariables.set("${SIGNATURE_VARIABLE}", signature);`,
];

function scriptOf(listen: "prerequest" | "test", exec: readonly string[]) {
  return { listen, script: { type: "text/javascript", exec } };
}

function keeping({ variable, from }: Kept): string {
  return `pm.collectionVariables.set("${variable}", ${readingOf(from)});`;
}

function readingOf(from: Kept["from"]): string {
  if ("json" in from) return `pm.response.json().${from.json}`;
  if ("text" in from) return `(pm.response.text().match(/${slashes(from.text)}/) || [])[1]`;
  const address = 'pm.response.headers.get("Location")';
  return `(${address}.match(/[?&]${from.redirect}=([^&]*)/) || [])[1]`;
}

const slashes = (pattern: string) => pattern.replaceAll("/", "\\/");

function searchOf(query: CollectionRequest["query"]): string {
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return sent.length === 0 ? "" : `?${sent.join("&")}`;
}

function bodyOf(body: NonNullable<CollectionRequest["body"]>) {
  switch (body.kind) {
    case "json":
      return {
        mode: "raw",
        raw: JSON.stringify(body.value, null, 2),
        options: { raw: { language: "json" } },
      };
    case "form":
      return {
        mode: "urlencoded",
        urlencoded: Object.entries(body.fields).map(([key, value]) => ({ key, value })),
      };
    case "multipart":
      return { mode: "raw", raw: body.lines.join("\r\n"), options: { raw: { language: "text" } } };
  }
}
