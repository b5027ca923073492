/**
 * Makes the generated files of the SDK from an OpenAPI document: the types of every call, the
 * little that has to be known of a call when it runs, and the names that the verifier knows.
 *
 * The document is trimmed first to what the SDK does with it: bodies travel as JSON (a file as form
 * data), and every refusal is thrown as one class, so one shape of error is enough.
 */

import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";

interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Named {
  readonly properties: object;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Named>> };
}

const METHODS = ["get", "post", "patch", "delete"];
const FORM = "application/x-www-form-urlencoded";
const COLUMNS_MAX = 100;
const MADE_BY = "Made by `npm run generate` from the routes of the service. Do not edit by hand.";

/** `sdk/src/api-types.ts` */
export async function renderApiTypes(document: object): Promise<string> {
  const { paths, ...rest } = document as Document;
  const trimmed = { ...rest, paths: mapOperations(paths, trim) };
  const nodes = await openapiTypescript(trimmed as unknown as OpenAPI3, {
    alphabetize: false,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: ({ format }) =>
      format === "binary" ? ts.factory.createTypeReferenceNode("Blob") : undefined,
    silent: true,
  });
  return `/** ${MADE_BY} */\n\n${astToString(nodes)}`;
}

/** `sdk/src/api-operations.ts` */
export function renderApiOperations(document: object): string {
  const { paths, components } = document as Document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...(item[method] as Operation),
    })),
  );
  const keyed = operations.filter(({ parameters = [] }) =>
    parameters.some(({ name }) => name?.toLowerCase() === "idempotency-key"),
  );
  const open = operations.filter(({ security = [] }) => security.length === 0);
  return [
    `/** ${MADE_BY} */`,
    "",
    "/** Those that take an `Idempotency-Key`. */",
    setOf("KEYED_OPERATIONS", keyed),
    "",
    "/** Those that ask for no credential. */",
    setOf("OPEN_OPERATIONS", open),
    "",
    "export const EVENT_NAMES = [",
    ...wordsOf(components.schemas.Event, "event").map((each) => `  ${JSON.stringify(each)},`),
    "] as const;",
    "",
    "/** What can be forced on an object of the sandbox. */",
    "export const SIMULATIONS = {",
    ...SIMULATED.flatMap(([kind, id, property]) => {
      const body = bodyOf(paths[`/sandbox/${kind}/{${id}}/simulate`]?.post);
      return memberLines(kind, wordsOf(body, property));
    }),
    "} as const;",
    "",
  ].join("\n");
}

/** Kind of object, name of its id in the path, and field that says what is to happen. */
const SIMULATED = [
  ["transactions", "transaction_id", "outcome"],
  ["withdrawals", "transaction_id", "outcome"],
  ["webhooks", "id", "receiver"],
] as const;

/** The schemas of the records that events carry. */
const RECORDS = ["Transaction", "Withdrawal", "TrustedCard", "WebhookEndpoint"];

/** `sdk/src/verify/names.ts` */
export function renderNames(document: object): string {
  const { paths, components } = document as Document;
  const request = bodyOf(paths["/plugins/payments/request"]?.post);
  const signed = namesIn(request).filter((each) => each !== "signature");
  const records = RECORDS.flatMap((name) => [
    `  ${name}: [`,
    ...namesIn(components.schemas[name]).map((each) => `    ${JSON.stringify(each)},`),
    "  ],",
  ]);
  return [
    `/** ${MADE_BY} */`,
    "",
    "/** The fields of a payment request that a signature covers; it covers any other, too. */",
    "export const REQUEST_NAMES: ReadonlySet<string> = new Set([",
    ...signed.map((each) => `  ${JSON.stringify(each)},`),
    "]);",
    "",
    "/** The fields of records, in the order in which they are written. */",
    "export const RECORD_NAMES = {",
    ...records,
    "};",
    "",
  ].join("\n");
}

/** The schema of an operation's body, as JSON. */
function bodyOf(operation: unknown): Named | undefined {
  const { requestBody } = (operation ?? {}) as Partial<Operation>;
  return (requestBody?.content["application/json"] as { schema: Named } | undefined)?.schema;
}

function namesIn(schema: Named | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}

/** The words that a property of a schema may be. */
function wordsOf(schema: Named | undefined, property: string): readonly string[] {
  const { [property]: found } = (schema?.properties ?? {}) as Record<string, { enum?: string[] }>;
  return found?.enum ?? [];
}

/** A member of an object, as the formatter writes it: on one line where that is short enough. */
function memberLines(name: string, words: readonly string[]): readonly string[] {
  const quoted = words.map((each) => JSON.stringify(each));
  const line = `  ${name}: [${quoted.join(", ")}],`;
  if (line.length <= COLUMNS_MAX) return [line];
  return [`  ${name}: [`, ...quoted.map((each) => `    ${each},`), "  ],"];
}

function setOf(name: string, operations: readonly { readonly name: string }[]): string {
  const lines = operations.map((operation) => `  ${JSON.stringify(operation.name)},`);
  return [`export const ${name}: ReadonlySet<string> = new Set([`, ...lines, "]);"].join("\n");
}

function mapOperations(
  paths: Document["paths"],
  change: (operation: Operation) => Operation,
): Document["paths"] {
  const isOperation = (method: string) => METHODS.includes(method);
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([name, part]) => [
          name,
          isOperation(name) ? change(part as Operation) : part,
        ]),
      ),
    ]),
  );
}

function trim(operation: Operation): Operation {
  const { requestBody, responses } = operation;
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: withoutForm(requestBody) } }),
    responses: { ...Object.fromEntries(successes), default: REFUSED },
  };
}

function withoutForm({
  content,
}: NonNullable<Operation["requestBody"]>): Readonly<Record<string, unknown>> {
  const kinds = Object.entries(content).filter(([type]) => type !== FORM);
  return kinds.length === 0 ? content : Object.fromEntries(kinds);
}

const REFUSED = {
  description: "Refused, in one sentence",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { message: { type: "string" } },
        required: ["message"],
      },
    },
  },
};
