/** `/docs`: the home of the documentation, which leads to every guide and to the reference. */

import type { Infra } from "../infra/context.ts";
import { type Html, html } from "../kit/html.ts";
import { linkButton } from "../parts/form.ts";
import { siteDocument } from "./frame.ts";
import { chapterPath, NAVIGATION, PRICING_PATH, REFERENCE_PATH, TRY_PATH } from "./guides.ts";
import type { Reading } from "./reference/reference-pages.ts";

export async function docsHome(ctx: Infra, reading: Reading): Promise<string> {
  const { chapters } = await reading(ctx);
  const groups = NAVIGATION.map(
    ({ group, pages }) =>
      html`<section class="cards"><h2>${group}</h2>${introOf(group)}<ul>${pages.map(
        ({ path, title, about }) => html`<li><a href="${path}"><strong>${title}</strong>
<span>${about}</span></a></li>\n`,
      )}</ul></section>`,
  );
  return siteDocument({
    title: "Documentation · Windward",
    about: "Guides, reference and errors of Windward: from a first test payment to going live.",
    path: "/docs",
    publicUrl: ctx.config.http.publicUrl,
    main: html`<h1>Documentation</h1>
<p class="lead">From a first test payment to going live. Getting started shows every step
in curl, TypeScript, PHP and Python.</p>
<p class="buttons">${linkButton({ text: "Getting started", href: "/docs/start", kind: "primary" })}
${linkButton({ text: "Reference", href: REFERENCE_PATH })}
${linkButton({ text: "Try requests", href: TRY_PATH })}</p>
<p>You sell, and write no code? Begin with <a href="/docs/links">payment links</a>,
and see <a href="${PRICING_PATH}">what it costs</a>.</p>
${groups}
<section class="cards"><h2>The reference by chapter</h2>
<p>Made from <a href="/openapi.json">openapi.json</a>, which describes the whole interface.</p>
<ul class="chapters">${chapters.map(
      (chapter) => html`<li><a href="${chapterPath(chapter)}">${chapter.name}</a></li>\n`,
    )}</ul></section>`,
  });
}

/** Owners find what is theirs among the guides for developers. */
function introOf(group: string): Html | false {
  return (
    group === "Your business" &&
    html`<p>For owners and the people who work with them. No code needed.</p>`
  );
}
