/**
 * A collection as an `.http` file: plain requests that an editor sends (VS Code's REST Client,
 * Visual Studio, httpYac). Answers have names, and later requests refer to them (Decision 0052).
 *
 * Such a file has no scripts, so a person does what the customer does on a page: the file says
 * where.
 */

import { addressOf, type Collection, type CollectionRequest, RUN_VARIABLE } from "./collection.ts";

export function writeHttpFile({ name, about, variables, ...collection }: Collection): string {
  const requests = collection.requests.map(signedBefore);
  const sent = requests.filter(({ byHand }) => byHand === undefined);
  const pointers = pointersOf(sent);
  const given = Object.entries(variables).filter(
    ([variable]) => isUsed(sent, variable) && !pointers.some((one) => one.variable === variable),
  );
  const lines = [
    ...comment(name),
    ...comment(about),
    ...comment("What a customer does on a page is yours to do here; the file says where."),
    "",
    ...given.flatMap(([variable, value]) => givenVariable(variable, value)),
    "",
    ...requests.flatMap((request, at) => blockOf(request, requests.slice(0, at), pointers)),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Without scripts nothing can be signed, so the request is one with a fixed signature. */
function signedBefore(request: CollectionRequest): CollectionRequest {
  const { signedBody: body, ...others } = request;
  if (body === undefined) return request;
  return { ...others, name: `${request.name} (fixed, of the demo account)`, body };
}

interface Pointer {
  readonly variable: string;
  readonly to: string;
  readonly keptBy: CollectionRequest;
}

/** A variable of such a file has one value, so the first answer that has it counts. */
function pointersOf(requests: readonly CollectionRequest[]): Pointer[] {
  const found = new Map<string, Pointer>();
  for (const keptBy of requests)
    for (const { variable, from } of keptBy.keeps)
      if ("json" in from && !found.has(variable) && isUsed(requests, variable)) {
        const to = `{{${answerName(keptBy)}.response.body.$.${from.json}}}`;
        found.set(variable, { variable, to, keptBy });
      }
  return [...found.values()];
}

function isUsed(requests: readonly CollectionRequest[], variable: string): boolean {
  return variable === "token" || JSON.stringify(requests).includes(`{{${variable}}}`);
}

function givenVariable(variable: string, value: string): string[] {
  // Changes with every request, so that orders and e-mails are unique.
  if (variable === RUN_VARIABLE) return [`@${variable} = {{$timestamp}}`];
  if (value !== "") return [`@${variable} = ${value}`];
  return [...comment("As the page shows it that saves a card:"), `@${variable} = 0.50`];
}

/** Comments and variables stand before the request: after it they would be part of its body. */
function blockOf(
  request: CollectionRequest,
  before: readonly CollectionRequest[],
  pointers: readonly Pointer[],
): string[] {
  if (request.byHand !== undefined) return [];
  const at = before.findLastIndex(({ byHand }) => byHand === undefined);
  const previous = before[at];
  const [byHand] = before.slice(at + 1);
  const isNamed = pointers.some(({ keptBy }) => keptBy === request);
  return [
    `### ${request.name}`,
    ...(previous?.folder === request.folder ? [] : comment(request.folder)),
    ...(byHand?.byHand === undefined ? [] : comment(byHand.byHand)),
    ...comment(`Expects ${request.expects}.`),
    ...pointers
      .filter(({ keptBy }) => keptBy === previous)
      .map(({ variable, to }) => `@${variable} = ${to}`),
    ...(isNamed ? [`# @name ${answerName(request)}`] : []),
    `${request.method} ${addressOf(request)}`,
    ...(request.isSigned ? ["authorization: Bearer {{token}}"] : []),
    ...Object.entries(request.headers).map(([header, value]) => `${header}: ${value}`),
    "",
    ...bodyLines(request),
  ];
}

function answerName({ method, url }: CollectionRequest): string {
  const words = url.replace(/\{\{\w+\}\}/g, "").match(/[a-z0-9]+/gi) ?? [];
  return [method.toLowerCase(), ...words].join("_");
}

function bodyLines({ body }: CollectionRequest): string[] {
  if (body === undefined) return [];
  return [body.kind === "form" ? new URLSearchParams(body.fields).toString() : body.text, ""];
}

const WIDTH = 98;

function comment(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => `# ${line}`);
}
