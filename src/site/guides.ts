/** The guides for integrators, and the navigation between the pages of the site. */

export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly file: string;
}

export const GUIDES: readonly Guide[] = [
  { path: "/docs/start", title: "Getting started", file: "getting-started.md" },
  { path: "/docs/sandbox", title: "The sandbox", file: "sandbox.md" },
  { path: "/docs/links", title: "Payment links", file: "payment-links.md" },
  { path: "/docs/events", title: "Events", file: "events.md" },
  { path: "/docs/verify", title: "Why does it not verify?", file: "verify.md" },
  {
    path: "/docs/coming-from-another-integration",
    title: "Coming from another integration",
    file: "coming-from-another-integration.md",
  },
];

export const ERRORS_PATH = "/docs/errors";

const PAGES: readonly Pick<Guide, "path" | "title">[] = [
  ...GUIDES,
  { path: "/verify", title: "The verifier" },
  { path: "/collections/", title: "Collections" },
  { path: ERRORS_PATH, title: "Errors" },
  { path: "/docs", title: "Reference" },
];

export function navigation(): string {
  const links = PAGES.map(({ path, title }) => `<a href="${path}">${title}</a>`);
  return `<nav>${links.join("\n")}</nav>`;
}
