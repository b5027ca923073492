/** The answers of a route as OpenAPI responses: schemas, headers, and an example of each. */

import type { AnswerDoc, Refusal, Route } from "../../infra/http/route.ts";
import { isOpenToScripts } from "../../infra/http/serve/cross-origin.ts";
import { PROBLEM_TYPE } from "../../infra/http/serve/render-error.ts";
import { CATALOGUE } from "../../kit/error-catalogue/catalogue.ts";
import { FieldRefused, refusalOf, type ServiceError } from "../../kit/errors.ts";
import type { JsonSchema } from "../../kit/schema.ts";
import { answersOf, type CommonAnswer } from "./common-answers.ts";
import { headersOf, OPEN } from "./headers.ts";
import { exampleProblem } from "./problem-schema.ts";

const ERROR = { $ref: "#/components/schemas/Error" };
const PROBLEM = { $ref: "#/components/schemas/Problem" };
const KEY_LENGTH_MAX = 48;

/** Components that several responses refer to, collected under their names. */
export interface Shared {
  readonly responses: Record<string, JsonSchema>;
  readonly examples: Record<string, JsonSchema>;
  readonly headers: Record<string, JsonSchema>;
}

export function responsesOf(route: Route<never>, shared: Shared): JsonSchema {
  const responses: Record<string, JsonSchema> = {};
  for (const [status, answer] of Object.entries(answersOf(route))) {
    const response = responseOf(route, Number(status), answer, shared);
    // Responses to scripts of any origin have more headers than the shared component.
    const name = isOpenToScripts(route.path) ? undefined : answer.name;
    if (name !== undefined) shared.responses[name] = response;
    responses[status] = name === undefined ? response : { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

function responseOf(
  route: Route<never>,
  status: number,
  answer: CommonAnswer,
  shared: Shared,
): JsonSchema {
  const isGood = status < 400;
  const replayed = route.idempotent && isGood ? ["Idempotent-Replayed"] : [];
  const open = isOpenToScripts(route.path) ? OPEN : [];
  // A shared component stands for all routes, most of which are counted.
  const isCounted = route.limit !== "none" || answer.name !== undefined;
  return {
    description: answer.about,
    headers: headersOf(
      { isCounted, isError: !isGood },
      [...(answer.headers ?? []), ...replayed, ...open],
      shared.headers,
    ),
    ...(status !== 304 && {
      content: {
        [answer.contentType ?? "application/json"]: contentOf(answer, shared),
        ...(isGood || answer.contentType !== undefined ? {} : problemContent(answer, shared)),
        ...(answer.alsoAs && { [answer.alsoAs]: { schema: { type: "string" } } }),
      },
    }),
  };
}

function contentOf(answer: AnswerDoc, shared: Shared): JsonSchema {
  const schema = (answer.body ?? ERROR) as JsonSchema;
  if (answer.refusals !== undefined && answer.refusals.length > 0)
    return { schema, examples: refusalExamples(answer, shared) };
  const example = answer.example ?? exampleOf(schema);
  return { schema, ...(example !== undefined && { example }) };
}

function refusalExamples(answer: AnswerDoc, shared: Shared): JsonSchema {
  const { refusals = [], showRefusal, body } = answer;
  const examples: Record<string, JsonSchema> = {};
  for (const refusal of refusals) {
    const { message, extra = {} } = refusalIn(refusal);
    if (body !== undefined) {
      const value = showRefusal?.(message) ?? { message, ...extra };
      keep(examples, { summary: message, value });
    } else {
      const key = keep(shared.examples, { summary: message, value: { message } });
      examples[key] = { $ref: `#/components/examples/${key}` };
    }
  }
  return examples;
}

/** One example of each code that the answer may have. */
function problemContent({ refusals = [] }: AnswerDoc, shared: Shared): JsonSchema {
  const codes = [...new Set(refusals.map((refusal) => refusalIn(refusal).code))];
  const examples = codes.map((code) => {
    const key = `problem-${code}`;
    shared.examples[key] ??= { summary: CATALOGUE[code].title, value: exampleProblem(code) };
    return [code, { $ref: `#/components/examples/${key}` }];
  });
  return { [PROBLEM_TYPE]: { schema: PROBLEM, examples: Object.fromEntries(examples) } };
}

export function refusalIn(refusal: Refusal): ServiceError {
  if (typeof refusal === "string") return new FieldRefused(refusal);
  return typeof refusal === "function" ? refusalOf(refusal) : refusal;
}

/** Named after its sentence; when two sentences begin alike, the later gets a number. */
function keep(examples: Record<string, JsonSchema>, example: { summary: string; value: object }) {
  const words = example.summary.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const name = words.join("-").slice(0, KEY_LENGTH_MAX);
  for (let count = 1; ; count++) {
    const key = count === 1 ? name : `${name}-${count}`;
    const known = examples[key];
    examples[key] ??= example;
    if (known === undefined || known.summary === example.summary) return key;
  }
}

/**
 * The example of a whole body, made of those of its parts (Decision 0050). A part without one is a
 * gap that a test finds.
 */
function exampleOf(schema: JsonSchema): unknown {
  const { examples, enum: words, anyOf, oneOf } = schema as Record<string, unknown[] | undefined>;
  if (examples !== undefined) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (words !== undefined) return words[0];
  if (schema.default !== undefined) return schema.default;
  const [first] = (anyOf ?? oneOf ?? []) as JsonSchema[];
  if (first !== undefined) return exampleOf(first);
  if (schema.properties !== undefined) {
    const parts = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>);
    return Object.fromEntries(parts.map(([name, part]) => [name, exampleOf(part)]));
  }
  if (schema.type === "array") return [exampleOf(schema.items as JsonSchema)];
  return undefined;
}
