/**
 * `/dev/parts`: every part of our pages in every state, as a small console of made-up data
 * (Decision 0089). In the development stage only; nothing is read or changed.
 */

import type { Config } from "../../infra/config.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { consoleScript, consoleStyle, liveScript } from "../../parts/console-assets.ts";
import { consoleFrame, type NavigationItem } from "../../parts/console-frame.ts";
import { passwordField, textField } from "../../parts/field.ts";
import { button, confirmForm, postForm } from "../../parts/form.ts";
import { narrowFrame } from "../../parts/narrow-frame.ts";
import { problemSummary } from "../../parts/notice.ts";
import { pageAnswer, renderDocument } from "../../parts/page.ts";
import { panel } from "../../parts/panel.ts";
import {
  detail,
  detailButtons,
  type ListQuery,
  list,
  overview,
  refundForm,
} from "./data-sections.ts";
import { charts, forms, messages } from "./part-sections.ts";

const PATH = "/dev/parts";
const CSRF = "of-the-gallery";

interface GalleryPage {
  readonly heading: string;
  readonly content: (query: ListQuery) => HtmlValue;
  readonly beside?: () => HtmlValue;
  readonly message?: () => HtmlValue;
  readonly isBelow?: true;
}

const PAGES: Readonly<Record<string, GalleryPage>> = {
  overview: { heading: "Home", content: overview },
  list: { heading: "Payments", content: list },
  detail: {
    heading: "order-1042",
    content: detail,
    beside: () => detailButtons(CSRF),
    isBelow: true,
  },
  refund: {
    heading: "Refund order-1042",
    content: () => panel({ content: refundForm({ csrf: CSRF, asPage: true }) }),
    isBelow: true,
  },
  revoke: {
    heading: "Revoke this key?",
    content: () =>
      panel({
        content: confirmForm({
          action: PATH,
          csrf: CSRF,
          text: "Sure?",
          button: "Revoke key",
          isDangerous: true,
          cancelHref: PATH,
        }),
      }),
    isBelow: true,
  },
  forms: {
    heading: "Forms",
    content: () => forms(CSRF),
    message: () =>
      problemSummary([
        { field: "email-2", message: "Enter a whole e-mail address." },
        { field: "amount-2", message: "Only TTD\u00a0105.20 is left of this payment." },
      ]),
  },
  charts: { heading: "Charts", content: charts },
  messages: { heading: "Messages", content: () => messages(CSRF) },
};

export const GALLERY_PAGES = [...Object.keys(PAGES), "narrow"];

const NAVIGATION: readonly NavigationItem[] = [
  { name: "Home", href: PATH, icon: "home" },
  { name: "Payments", href: `${PATH}/list`, icon: "payments" },
  { name: "Balance", href: `${PATH}/charts`, icon: "balance" },
  { name: "Withdrawals", href: `${PATH}/messages`, icon: "withdrawals" },
  { name: "Links", href: `${PATH}/refund`, icon: "links" },
  { name: "Cards", href: `${PATH}/detail`, icon: "cards" },
  { name: "Developers", href: `${PATH}/revoke`, icon: "developers" },
  { name: "Settings", href: `${PATH}/forms`, icon: "settings" },
];

/** `liveSource`: where changes are told, as a test does. */
export function renderGallery(
  name: string,
  query: ListQuery,
  {
    liveSource,
    environment = "sandbox",
  }: { liveSource?: string; environment?: "sandbox" | "live" } = {},
): string | undefined {
  if (name === "narrow") return documentOf("Sign in", narrow());
  const page = PAGES[name];
  if (page === undefined) return undefined;
  const isCurrent = (href: string) => href === (name === "overview" ? PATH : `${PATH}/${name}`);
  const tabs = Object.entries(PAGES)
    .filter(([, { isBelow }]) => isBelow === undefined)
    .map(([each, { heading }]) => {
      const href = each === "overview" ? PATH : `${PATH}/${each}`;
      return { name: heading, href, isCurrent: isCurrent(href) };
    });
  const body = consoleFrame({
    accountName: "Sea Grape Books",
    environment,
    environmentForm: { action: PATH, hidden: { return_to: PATH } },
    csrf: CSRF,
    navigation: NAVIGATION.map((item) => ({ ...item, isCurrent: isCurrent(item.href) })),
    tabs: page.isBelow === true ? undefined : { label: "Parts", items: tabs },
    person: {
      name: "Maya Joseph",
      about: "Owner",
      profileHref: `${PATH}/forms`,
      signOutAction: PATH,
    },
    heading: page.heading,
    back: page.isBelow === true ? { name: "Payments", href: `${PATH}/list` } : undefined,
    beside: page.beside?.(),
    message: page.message?.(),
    content: page.content(query),
  });
  return documentOf(page.heading, body, liveSource);
}

function documentOf(title: string, body: Html, liveSource?: string): string {
  return renderDocument({
    title: `${title} · Windward`,
    body,
    styles: [consoleStyle],
    scripts: [consoleScript, ...(liveSource === undefined ? [] : [liveScript])],
    bodyAttributes: { "data-live-source": liveSource },
  });
}

function narrow(): Html {
  return narrowFrame({
    heading: "Sign in",
    content: postForm({
      action: PATH,
      csrf: CSRF,
      content: [
        textField({
          name: "email",
          label: "E-mail",
          type: "email",
          autocomplete: "username",
          required: true,
        }),
        passwordField({
          name: "password",
          label: "Password",
          autocomplete: "current-password",
          required: true,
        }),
        button({ text: "Sign in", kind: "primary" }),
      ],
    }),
    below: html`<a href="${PATH}">Forgot your password?</a>`,
  });
}

const QUERY = { q: optional(text({ max: 64 })), status: optional(text({ max: 64 })) };
const HTML_ANSWER = { about: "The page", contentType: "text/html" };

export function galleryRoutes<Ctx>({ demoWorld }: Pick<Config, "demoWorld">): Route<Ctx>[] {
  if (!demoWorld) return [];
  const shared = { isHidden: true, query: QUERY } as const;
  return [
    publicRoute({
      ...shared,
      method: "GET",
      path: PATH,
      summary: "All parts of our pages",
      answers: { 200: HTML_ANSWER },
      run: async (_: Ctx, { query }) => galleryAnswer("overview", query),
    }),
    publicRoute({
      ...shared,
      method: "GET",
      path: `${PATH}/{page}`,
      summary: "Some parts of our pages",
      params: { page: text({ max: 64 }) },
      answers: { 200: HTML_ANSWER, 404: { about: "There is no such page" } },
      run: async (_: Ctx, { params, query }) => galleryAnswer(params.page, query),
    }),
  ];
}

function galleryAnswer(name: string, query: ListQuery): Answer {
  const document = renderGallery(name, query);
  if (document === undefined) throw new NotFound("no such page of the gallery");
  return pageAnswer(document);
}
