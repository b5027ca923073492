/**
 * One request of a collection, from the OpenAPI document and a step of the plan. Everything that
 * the document knows is taken from there: words, fields, examples, who may call, what success is.
 */

import assert from "node:assert/strict";
import type { CollectionBody, CollectionRequest } from "./collection.ts";
import {
  type DocumentOperation,
  type DocumentParameter,
  type DocumentSchema,
  exampleOf,
  inlined,
  isOpen,
  type OpenapiDocument,
  successOf,
} from "./document-values.ts";
import type { Step } from "./plan.ts";

export type UnplacedRequest = Omit<CollectionRequest, "folder" | "isApart">;

export function makeRequest(document: OpenapiDocument, step: Step): UnplacedRequest {
  const [method = "", path = ""] = step.calls.split(" ");
  const found = document.paths[path]?.[method.toLowerCase()];
  assert(found !== undefined, `the plan has ${step.calls}, which the document does not`);
  const { responses, ...asked } = found;
  const operation = { ...inlined(document, asked), responses };
  const { parameters = [], summary = "", description = "" } = operation;
  const body = bodyOf(operation, step);
  return {
    name: step.name ?? summary,
    about: description,
    method,
    url: step.at ?? `{{baseUrl}}${withVariables(path, step)}`,
    query: parameters.filter((one) => one.in === "query").map((one) => queryPart(one, step)),
    headers: { accept: "application/json", ...typeOf(body) },
    body,
    ...(step.signedExample === undefined ? {} : { signedBody: signedBodyOf(operation, step) }),
    isSigned: !isOpen(operation),
    expects: step.expects ?? successOf(operation),
    keeps: step.keeps ?? [],
  };
}

/** A parameter of the path is a variable of its own name, unless the plan knows a better one. */
function withVariables(path: string, { values = {} }: Step): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{{${name}}}`));
}

function queryPart(parameter: DocumentParameter, { values = {} }: Step) {
  const { name, required = false, description, schema } = parameter;
  const isEnvironment = name === "environment";
  const value = values[name] ?? (isEnvironment ? "{{environment}}" : exampleOf(parameter));
  return {
    name,
    value: value === undefined ? "" : String(value),
    about: description ?? schema?.description ?? "",
    isSent: required || isEnvironment || Object.hasOwn(values, name),
  };
}

function bodyOf(operation: DocumentOperation, step: Step): CollectionBody | undefined {
  const { requestBody, parameters = [] } = operation;
  if (requestBody === undefined) return undefined;
  const { "application/json": json, "multipart/form-data": multipart } = requestBody.content;
  if (json === undefined) return { kind: "multipart", lines: pictureParts(multipart?.schema) };
  const elsewhere = new Set(parameters.map(({ name }) => name));
  const own = Object.entries(step.values ?? {}).filter(([name]) => !elsewhere.has(name));
  const value = {
    ...(exampleOf(json) as Record<string, unknown>),
    ...(takesSandbox(json.schema) ? { environment: "{{environment}}" } : {}),
    ...Object.fromEntries(own),
  };
  const kept = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return { kind: "json", value: Object.fromEntries(kept) };
}

function signedBodyOf({ requestBody }: DocumentOperation, step: Step): CollectionBody {
  const examples = requestBody?.content["application/json"]?.examples ?? {};
  const value = examples[step.signedExample ?? ""]?.value;
  assert(value !== undefined, `${step.calls} has no example ${step.signedExample}`);
  return { kind: "json", value: value as Record<string, unknown> };
}

/** Not that of an API key, which is `live` or `test`. */
function takesSandbox(schema: DocumentSchema | undefined): boolean {
  return schema?.properties?.environment?.enum?.includes("sandbox") === true;
}

const BOUNDARY = "windward-collection";

/** A picture that is text, so that it can stand in the collection itself. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" ' +
  'fill="#0b5a67"/></svg>';

function pictureParts({ required: [name = "picture"] = [] }: DocumentSchema = {}): string[] {
  return [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name}"; filename="picture.svg"`,
    "Content-Type: image/svg+xml",
    "",
    PICTURE,
    `--${BOUNDARY}--`,
    "",
  ];
}

function typeOf(body: CollectionBody | undefined): Record<string, string> {
  if (body === undefined) return {};
  const multipart = `multipart/form-data; boundary=${BOUNDARY}`;
  return { "content-type": body.kind === "json" ? "application/json" : multipart };
}
