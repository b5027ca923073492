/**
 * The guides, and every page that the navigation of the site lists. A guide is one line here: its
 * Markdown in the project, its address, and the group that it stands in.
 */

const GROUPS = ["Start", "Your business", "Build", "Moving here", "Look up"] as const;

type Group = (typeof GROUPS)[number];

interface SitePage {
  readonly path: string;
  readonly title: string;
  /** One line: on the home of the documentation, in `llms.txt` and for link previews. */
  readonly about: string;
  readonly group: Group;
}

export interface Guide extends SitePage {
  /** From the root of the project. */
  readonly file: string;
}

export const ERRORS_PATH = "/docs/errors";
export const REFERENCE_PATH = "/docs/reference";
export const TRY_PATH = "/docs/try";
export const SEARCH_PATH = "/docs/search";
export const WELCOME_PATH = "/docs/welcome";
export const PRICING_PATH = "/docs/pricing";
export const CHANGELOG_PATH = "/docs/changelog";

export const GUIDES: readonly Guide[] = [
  {
    path: "/docs/start",
    title: "Getting started",
    about: "From nothing to a paid order, a webhook, a refund and a withdrawal.",
    group: "Start",
    file: "docs/getting-started.md",
  },
  {
    path: "/docs/testing",
    title: "Testing",
    about: "What to try before a customer does, and how to make it happen.",
    group: "Start",
    file: "docs/testing.md",
  },
  {
    path: "/docs/exam",
    title: "Test your shop",
    about: "Twelve cases, from forged results to chargebacks, and a grade.",
    group: "Start",
    file: "docs/exam.md",
  },
  {
    path: "/docs/tool",
    title: "The tool",
    about: "Events on your own machine, outcomes on demand, and what happened to a request.",
    group: "Start",
    file: "docs/tool.md",
  },
  {
    path: "/docs/sandbox",
    title: "The sandbox",
    about: "Demo accounts, test cards, and amounts that decide what happens.",
    group: "Start",
    file: "docs/sandbox.md",
  },
  {
    path: "/docs/links",
    title: "Payment links",
    about: "Get paid without a shop and without code: a link, a QR code, a button.",
    group: "Your business",
    file: "docs/payment-links.md",
  },
  {
    path: PRICING_PATH,
    title: "What it costs",
    about: "Fees, prices and limits: what a payment, a refund and a withdrawal cost, and who pays.",
    group: "Your business",
    file: "docs/pricing.md",
  },
  {
    path: "/docs/console",
    title: "The console",
    about: "Payments, refunds, statements, withdrawals and people, in the browser.",
    group: "Your business",
    file: "docs/console.md",
  },
  {
    path: "/docs/going-live",
    title: "Going live",
    about: "Open an account, take real payments, and what to watch on the first day.",
    group: "Your business",
    file: "docs/going-live.md",
  },
  {
    path: "/docs/withdrawals",
    title: "Withdrawals",
    about: "When your money arrives, how to withdraw it, and how to pay others.",
    group: "Your business",
    file: "docs/withdrawals.md",
  },
  {
    path: "/docs/checkout",
    title: "Checkout",
    about: "Request a payment, send the customer to the page, check the result.",
    group: "Build",
    file: "docs/checkout.md",
  },
  {
    path: "/docs/typescript",
    title: "TypeScript SDK",
    about: "Typed calls, retries that cannot pay twice, and events without a gap.",
    group: "Build",
    file: "sdk/README.md",
  },
  {
    path: "/docs/webhooks",
    title: "Webhooks",
    about: "Receive events, verify their signatures, and catch up after a break.",
    group: "Build",
    file: "docs/webhooks.md",
  },
  {
    path: "/docs/events",
    title: "Events",
    about: "Every event, with an example of each.",
    group: "Build",
    file: "docs/events.md",
  },
  {
    path: "/docs/trusted-cards",
    title: "Trusted cards",
    about: "Save a customer's card, verify it, and charge it later.",
    group: "Build",
    file: "docs/trusted-cards.md",
  },
  {
    path: "/docs/php",
    title: "The PHP package",
    about: "Payments, refunds, checked results and webhooks, and events, from PHP 8.2.",
    group: "Build",
    file: "sdk-php/README.md",
  },
  {
    path: "/docs/verify",
    title: "Why does it not verify?",
    about: "Find out why a hash or a signature does not fit.",
    group: "Build",
    file: "docs/verify.md",
  },
  {
    path: "/docs/migrating",
    title: "Migrating from 1.x",
    about: "Which paths and scopes were renamed, and what keeps working.",
    group: "Moving here",
    file: "docs/migrating.md",
  },
  {
    path: "/docs/coming-from-another-integration",
    title: "Coming from another integration",
    about: "Keep your shop's code: change the address, a few names and the keys.",
    group: "Moving here",
    file: "docs/coming-from-another-integration.md",
  },
  {
    path: CHANGELOG_PATH,
    title: "Changelog",
    about: "What changed, and what you have to do.",
    group: "Look up",
    file: "CHANGELOG.md",
  },
];

const OTHER_PAGES: readonly SitePage[] = [
  {
    path: REFERENCE_PATH,
    title: "Reference",
    about: "Every request, field and answer.",
    group: "Look up",
  },
  {
    path: TRY_PATH,
    title: "Try it",
    about: "The interactive reference: send requests from the browser.",
    group: "Look up",
  },
  {
    path: ERRORS_PATH,
    title: "Errors",
    about: "Every error code: what it means and what to do.",
    group: "Look up",
  },
  {
    path: "/verify",
    title: "Verifier",
    about: "Check a result, a webhook or a request in your browser.",
    group: "Look up",
  },
  {
    path: "/collections/",
    title: "Collections",
    about: "Requests for Postman, Bruno and editors.",
    group: "Look up",
  },
];

/** By their groups, in the order of the navigation. */
export const NAVIGATION: readonly { readonly group: Group; readonly pages: readonly SitePage[] }[] =
  GROUPS.map((group) => ({
    group,
    pages: [...OTHER_PAGES, ...GUIDES].filter((page) => page.group === group),
  }));

/** Where the Markdown of a guide is served. */
export function markdownPath({ path }: Guide): string {
  return `${path}.md`;
}

/** Of a chapter of the reference. */
export function chapterPath({ slug }: { readonly slug: string }): string {
  return `${REFERENCE_PATH}/${slug}`;
}
