/**
 * A collection in Postman's format 2.1 (Decision 0052), which Newman runs, too. A test of every
 * request checks the status, and its script keeps what later requests need.
 */

import {
  addressOf,
  type Collection,
  type CollectionBody,
  type CollectionRequest,
  RUN_VARIABLE,
} from "./collection.ts";
import { SECRET_VARIABLE, SIGN_FIELDS, SIGNATURE_VARIABLE, valueIn } from "./scripts.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

export function writePostman({ name, version, about, variables, requests }: Collection): object {
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  return {
    info: { name, description: about, version, schema: SCHEMA },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: entries(variables).map((variable) => ({ ...variable, type: "string" })),
    item: [...folders].map(([folder, inside]) => ({ name: folder, item: inside.map(itemOf) })),
  };
}

function itemOf(request: CollectionRequest) {
  const { name, about, method, url, query, headers, body, isSigned } = request;
  const [host = "", ...path] = url.split("/");
  return {
    name,
    event: eventsOf(request),
    // A redirect leads the customer's browser to the shop, which is not part of the run.
    protocolProfileBehavior: { followRedirects: false },
    request: {
      method,
      description: about,
      ...(!isSigned && { auth: { type: "noauth" } }),
      header: entries(headers),
      url: {
        raw: addressOf(request),
        host: [host],
        path,
        query: query.map((part) => ({
          key: part.name,
          value: part.value,
          description: part.about,
          disabled: !part.isSent,
        })),
      },
      ...(body && { body: bodyOf(body) }),
    },
    response: [],
  };
}

function entries(values: Readonly<Record<string, string>>) {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}

const START_OF_RUN =
  `pm.collectionVariables.set("${RUN_VARIABLE}", ` +
  'pm.variables.replaceIn("{{$guid}}").slice(0, 8));';

/** The body contains the variable, which gets its value here. */
const SIGN = [
  "const fields = JSON.parse(pm.variables.replaceIn(pm.request.body.raw));",
  `const secret = pm.variables.get("${SECRET_VARIABLE}");`,
  ...SIGN_FIELDS,
  `pm.collectionVariables.set("${SIGNATURE_VARIABLE}", signature);`,
];

const ANSWER = {
  json: "pm.response.json()",
  text: "pm.response.text()",
  location: 'pm.response.headers.get("Location")',
};

function eventsOf({ isFirst, isLast, signedBody, expects, keeps }: CollectionRequest) {
  const scriptOf = (listen: "prerequest" | "test", exec: readonly string[]) => ({
    listen,
    script: { type: "text/javascript", exec },
  });
  return [
    ...(isFirst ? [scriptOf("prerequest", [START_OF_RUN])] : []),
    ...(signedBody ? [scriptOf("prerequest", SIGN)] : []),
    scriptOf("test", [
      `pm.test("answers ${expects}", () => pm.response.to.have.status(${expects}));`,
      ...keeps.map(
        ({ variable, from }) =>
          `pm.collectionVariables.set("${variable}", ${valueIn(ANSWER, from)});`,
      ),
      ...(isLast ? ["pm.execution.setNextRequest(null);"] : []),
    ]),
  ];
}

function bodyOf(body: CollectionBody) {
  if (body.kind === "form") return { mode: "urlencoded", urlencoded: entries(body.fields) };
  const isJson = body.kind === "json";
  const raw = isJson ? body.text : body.text.replaceAll("\n", "\r\n");
  return { mode: "raw", raw, options: { raw: { language: isJson ? "json" : "text" } } };
}
