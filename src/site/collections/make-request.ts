/**
 * One request of a collection, from a step of the plan and the OpenAPI document: name, fields,
 * examples, access and success are the document's.
 *
 * The hosted page is not part of the interface and not in the document, so what a browser without
 * scripts sends there is written here: without it nothing could be paid, refunded or saved.
 */

import assert from "node:assert/strict";
import type { CollectionBody, CollectionRequest } from "./collection.ts";
import {
  type DocumentOperation,
  type DocumentParameter,
  type DocumentSchema,
  exampleOf,
  inlined,
  type OpenapiDocument,
  successOf,
} from "./document-values.ts";
import type { Step } from "./plan.ts";

type UnplacedRequest = Omit<CollectionRequest, "folder" | "isFirst" | "isLast">;

export function makeRequest(document: OpenapiDocument, step: Step): UnplacedRequest {
  if (step.page !== undefined) return pageRequest(step, step.page);
  const [method = "", path = ""] = step.calls.split(" ");
  const found = document.paths[path]?.[method.toLowerCase()];
  assert(found !== undefined, `the plan has ${step.calls}, which the document does not`);
  const { responses, ...rest } = found;
  const operation = { ...inlined(document, rest), responses };
  const { parameters = [], summary = "", description = "", security = [] } = operation;
  const body = bodyOf(operation, step);
  return {
    name: step.name ?? summary,
    about: description,
    method,
    url: step.at ?? `{{baseUrl}}${withVariables(path, step)}`,
    query: parameters.filter((one) => one.in === "query").map((one) => queryPart(one, step)),
    headers: { accept: "application/json", ...(body && { "content-type": TYPES[body.kind] }) },
    body,
    ...(step.signedExample && { signedBody: signedBodyOf(operation, step) }),
    isSigned: security.length > 0,
    expects: step.expects ?? successOf(operation),
    keeps: step.keeps ?? [],
  };
}

/** A parameter of the path is a variable of the same name, unless the plan has a value for it. */
function withVariables(path: string, { values = {} }: Step): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{{${name}}}`));
}

function queryPart(parameter: DocumentParameter, { values = {} }: Step) {
  const { name, required = false, description, schema } = parameter;
  const isEnvironment = name === "environment";
  const value = values[name] ?? (isEnvironment ? "{{environment}}" : exampleOf(parameter));
  return {
    name,
    value: String(value ?? ""),
    about: description ?? schema?.description ?? "",
    isSent: required || isEnvironment || Object.hasOwn(values, name),
  };
}

const BOUNDARY = "windward-collection";
const TYPES = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: `multipart/form-data; boundary=${BOUNDARY}`,
};

function bodyOf(operation: DocumentOperation, step: Step): CollectionBody | undefined {
  const { requestBody, parameters = [] } = operation;
  if (requestBody === undefined) return undefined;
  const { "application/json": json, "multipart/form-data": multipart } = requestBody.content;
  if (json === undefined) return { kind: "multipart", text: pictureForm(multipart?.schema) };
  const elsewhere = new Set(parameters.map(({ name }) => name));
  const own = Object.entries(step.values ?? {}).filter(([name]) => !elsewhere.has(name));
  const fields = {
    ...Object(exampleOf(json)),
    ...(takesSandbox(json.schema) && { environment: "{{environment}}" }),
    ...Object.fromEntries(own),
  };
  return jsonBody(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function jsonBody(fields: Iterable<readonly [string, unknown]>): CollectionBody {
  return { kind: "json", text: JSON.stringify(Object.fromEntries(fields), null, 2) };
}

function signedBodyOf({ requestBody }: DocumentOperation, step: Step): CollectionBody {
  const examples = requestBody?.content["application/json"]?.examples ?? {};
  const value = examples[step.signedExample ?? ""]?.value;
  assert(value !== undefined, `${step.calls} has no example ${step.signedExample}`);
  return jsonBody(Object.entries(Object(value)));
}

/** The environment of an API key is `live` or `test`, which the variable does not fit. */
function takesSandbox(schema: DocumentSchema | undefined): boolean {
  return schema?.properties?.environment?.enum?.includes("sandbox") === true;
}

/** A picture that is text, so that it can stand in the collection itself. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" ' +
  'fill="#0b5a67"/></svg>';

function pictureForm({ required: [name = "picture"] = [] }: DocumentSchema = {}): string {
  return `--${BOUNDARY}
Content-Disposition: form-data; name="${name}"; filename="picture.svg"
Content-Type: image/svg+xml

${PICTURE}
--${BOUNDARY}--
`;
}

const CARD = { number: "4111111111111111", expiry: "12/39", holder: "Anika Mohammed" };

const ABOUT_PAGE = {
  open: "The page at the `url` of the answer before; only the token of its form is read here.",
  pay:
    "What the page's form sends. In a browser you would pay with 4111 1111 1111 1111, any later " +
    "expiry and any three digits.",
  confirm: "A saved card is paid with by its security code alone.",
};

const PAY_BY_HAND =
  "Now open the `url` of that answer in a browser and pay with 4111 1111 1111 1111, any later " +
  "expiry and any three digits; a saved card needs the three digits only.";

function pageRequest(step: Step, page: keyof typeof ABOUT_PAGE): UnplacedRequest {
  const form = {
    form_token: "{{form_token}}",
    attempts: "0",
    ...(page === "pay" && CARD),
    cvv: "123",
  };
  const isForm = page !== "open";
  return {
    name: step.name ?? "",
    about: ABOUT_PAGE[page],
    method: isForm ? "POST" : "GET",
    url: "{{checkout_url}}",
    query: [],
    headers: {
      accept: "text/html",
      ...(isForm && { origin: "{{baseUrl}}", "content-type": TYPES.form }),
    },
    body: isForm ? { kind: "form", fields: form } : undefined,
    isSigned: false,
    expects: step.expects ?? 200,
    keeps: step.keeps ?? [],
    byHand: PAY_BY_HAND,
  };
}
