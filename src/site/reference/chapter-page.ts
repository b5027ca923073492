/** A chapter of the reference as a page. */

import { html } from "../../kit/html.ts";
import { siteDocument } from "../frame.ts";
import { chapterPath, REFERENCE_PATH } from "../guides.ts";
import { withCode } from "./field-table.ts";
import type { Chapter, ReadDocument } from "./openapi-reader.ts";
import { renderOperation } from "./render-operation.ts";

export function chapterHtml(document: ReadDocument, chapter: Chapter, publicUrl: string): string {
  const { name, about, operations } = chapter;
  return siteDocument({
    title: `${name} · Windward reference`,
    about,
    path: chapterPath(chapter),
    publicUrl,
    contents: operations.map(({ operationId, summary }) => ({ id: operationId, text: summary })),
    main: html`<p class="crumb"><a href="${REFERENCE_PATH}">Reference</a></p>
<h1>${name}</h1>
<p>${withCode(about)}</p>
${operations.map((operation) => renderOperation(document, operation, publicUrl))}`,
  });
}
