/** One request of the reference: its fields, an example, its answers and its errors. */

import { type ErrorCode, helpPath } from "../../kit/error-catalogue/catalogue.ts";
import { type Html, html } from "../../kit/html.ts";
import { codeFigure } from "../code-figure.ts";
import { highlighted } from "../highlight.ts";
import { fieldsOf, fieldTable, withCode } from "./field-table.ts";
import type { Called, ReadDocument } from "./openapi-reader.ts";

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
/** A path and a body that fit on a line of a terminal. */
const SHORT_BODY = 60;

export function renderOperation(
  document: ReadDocument,
  operation: Called,
  publicUrl: string,
): Html {
  const { operationId, summary, method, path, description, deprecated = false } = operation;
  return html`<section class="operation">
<h2 id="${operationId}"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span>
<code>${path}</code>${deprecated && html` <span class="needed">1.x</span>`}</p>
<p>${withCode(description)}</p>
${parameters(document, operation)}
${requestBody(document, operation)}
${codeFigure({ title: "Request", code: highlighted(curlOf(operation, publicUrl), "sh") })}
${answers(document, operation)}
${errors(document, operation)}
</section>
`;
}

function parameters(document: ReadDocument, { parameters: all }: Called): Html | false {
  if (all.length === 0) return false;
  const properties = Object.fromEntries(
    all.map(({ name, schema, description = "", in: where }) => [
      name,
      { ...schema, description: where === "query" ? description : `(${where}) ${description}` },
    ]),
  );
  const required = all.filter((one) => one.required === true).map(({ name }) => name);
  return fieldTable(fieldsOf(document, { properties, required }), "Parameters");
}

function requestBody(document: ReadDocument, { requestBody: body }: Called): Html | false {
  const media = body && Object.values(body.content)[0];
  const fields = media?.schema === undefined ? [] : fieldsOf(document, media.schema);
  return fields.length > 0 && fieldTable(fields, "Body");
}

/** As somebody would type it: the first example of the body, and the credential it needs. */
function curlOf({ method, path, security, requestBody: body }: Called, publicUrl: string): string {
  const lines = [`curl -s ${method === "GET" ? "" : `-X ${method} `}${publicUrl}${path}`];
  if (security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  const [upload] = Object.keys(body?.content ?? {});
  const [example] = Object.values(body?.content[JSON_TYPE]?.examples ?? {});
  if (upload === "multipart/form-data") lines.push("-F picture=@picture.png");
  else if (example !== undefined) {
    const short = JSON.stringify(example.value);
    const text = short.length > SHORT_BODY ? JSON.stringify(example.value, null, 2) : short;
    lines.push('-H "Content-Type: application/json"', `-d '${text.replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}

function answers(document: ReadDocument, { responses }: Called): Html[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, given]) => {
      const { description, content } = document.resolve(given);
      const media = content?.[JSON_TYPE];
      const [named] = Object.values(media?.examples ?? {});
      const example = media?.example ?? named?.value;
      const fields = media?.schema === undefined ? [] : fieldsOf(document, media.schema);
      const code = JSON.stringify(example, null, 2);
      return html`<h3>${status}: ${description}</h3>
${example !== undefined && codeFigure({ title: "Answer", code: highlighted(code, "json") })}
${
  fields.length > 0 &&
  html`<details class="more"><summary>Fields of the answer</summary>
${fieldTable(fields, "Answer")}</details>`
}`;
    });
}

/** Those of this request by name; what every request may answer is told once. */
function errors(document: ReadDocument, { responses }: Called): Html | false {
  const own = Object.entries(responses).filter(
    ([status, { $ref }]) => Number(status) >= 400 && $ref === undefined,
  );
  if (own.length === 0) return false;
  const rows = own.map(([status, given]) => {
    const { description, content } = document.resolve(given);
    const codes = Object.keys(content?.[PROBLEM_TYPE]?.examples ?? {}) as ErrorCode[];
    const links = codes.map((code) => html`<a href="${helpPath(code)}">${code}</a> `);
    return html`<tr><td>${status}</td><td>${withCode(description)}</td><td>${links}</td></tr>\n`;
  });
  return html`<details class="more"><summary>Errors</summary>
<div class="wide" tabindex="0"><table><caption>Errors of this request</caption>
<thead><tr><th>Status</th><th>When</th><th>Codes</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}
