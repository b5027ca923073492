/**
 * The guarantee: every part of our pages in every state, as a browser draws it, has no barrier for
 * a screen reader, a keyboard or weak eyes, fits a phone, breaks no rule of the page's policy, and
 * works without scripts and better with them (Decision 0089).
 */

import assert from "node:assert/strict";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { consoleScript, consoleStyle, liveScript } from "../../src/parts/console-assets.ts";
import { pageAnswer } from "../../src/parts/page.ts";
import { GALLERY_PAGES, renderGallery } from "../../src/site/gallery/gallery-page.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";

const listeners = new Set<ServerResponse>();
/** What stands in the place of the last payments' heading, to be seen changing. */
let heading = "Last payments";
const posted: string[] = [];

const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  const asset = [consoleStyle, consoleScript, liveScript].find(({ path }) => path === url.pathname);
  if (asset !== undefined)
    return void response.setHeader("content-type", asset.contentType).end(asset.plain);
  if (url.pathname === "/changes") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    return void listeners.add(response);
  }
  if (request.method === "POST") {
    posted.push(url.pathname);
    return void request.resume().on("end", () => response.writeHead(204).end());
  }
  const page = url.pathname.split("/")[3] ?? "overview";
  const query = Object.fromEntries(url.searchParams);
  const document = renderGallery(page, query, { liveSource: "/changes" });
  if (document === undefined || query.q === "signed-out")
    return void response.writeHead(document === undefined ? 404 : 200).end("<p>Elsewhere</p>");
  const answer = pageAnswer(document.replaceAll("Last payments", heading));
  response.setHeader("content-type", answer.contentType ?? "");
  response.setHeaders(new Map(Object.entries(answer.headers ?? {})));
  response.end(answer.body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/parts`;
const browser = await startBrowser();
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

const SCREENS: readonly [string, BrowserContextOptions][] = [
  ["a phone", PHONE],
  ["a dark phone", { ...PHONE, colorScheme: "dark" }],
  ["a desktop", DESKTOP],
  ["a dark desktop", { ...DESKTOP, colorScheme: "dark" }],
];

/** In the dark the same document has other colours, and nothing else. */
const rulesOf = ({ colorScheme }: BrowserContextOptions) =>
  colorScheme === "dark" ? ["color-contrast"] : [];

const isTooWide = (page: Page) =>
  page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");

for (const [screen, options] of SCREENS)
  test(`has no barrier and breaks no rule on ${screen}`, async () => {
    const page = await browser.page(options);
    const complaints = complaintsAbout(page);
    for (const name of GALLERY_PAGES) {
      await page.goto(`${url}/${name}`);
      assert.deepEqual(await axeViolations(page, rulesOf(options)), [], name);
      assert.equal(await isTooWide(page), false, `${name} is too wide`);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

test("fits a screen of 320 pixels, with targets that a thumb can hit", async () => {
  const page = await browser.page({ ...PHONE, viewport: { width: 320, height: 640 } });
  for (const name of GALLERY_PAGES) {
    await page.goto(`${url}/${name}`);
    assert.equal(await isTooWide(page), false, `${name} is too wide`);
    const low = await page.evaluate<string[]>(`
      [...document.querySelectorAll("button, .button, nav a, summary, select, input, td > a")]
        .filter((each) => each.checkVisibility() && !/hidden|radio|checkbox/.test(each.type))
        .filter((each) => each.getBoundingClientRect().height < 44)
        .filter((each) => !each.matches(".linked a, .chart summary, .switch button, .affixed *"))
        .map((each) => each.outerHTML)`);
    assert.deepEqual(low, [], name);
  }
  await page.context().close();
});

test("a table keeps its amounts in view, whatever else has to give way", async () => {
  const page = await browser.page(DESKTOP);
  for (const width of [1280, 1100, 800, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/list`);
    const [needed, there] = await page.evaluate<[number, number]>(`(() => {
      const row = document.querySelector(".table tbody tr");
      row.querySelector(".on-hidden").textContent = "Mastercard\u00a0••••\u00a04444";
      row.querySelector(".badge").lastChild.textContent = "Refund rejected";
      row.querySelector(".money").textContent = "TTD\u00a01,123,456.00";
      const { scrollWidth, clientWidth } = document.querySelector(".table-frame");
      return [scrollWidth, clientWidth];
    })()`);
    assert.equal(needed, there, `at ${width}`);
  }
  await page.context().close();
});

test("every control is reached by keyboard, in the order of the page, with a ring", async () => {
  const page = await browser.page(DESKTOP);
  for (const name of ["overview", "list", "forms"]) {
    await page.goto(`${url}/${name}`);
    const wanted = await page.evaluate<number>(`
      [...document.querySelectorAll("a[href], button, input, select, textarea, summary, pre")]
        .filter((each) => each.checkVisibility() && each.type !== "hidden")
        .filter((each) => each.type !== "radio" || each.checked || each.name === "speed")
        .length - document.querySelectorAll("[name=speed]").length +
        (document.querySelector("[name=speed]") ? 1 : 0)`);
    const seen = new Set<string>();
    for (let presses = 0; presses < wanted * 3; presses++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate<string>(`(() => {
        const at = document.activeElement;
        const holder = at.closest("tr, .affixed") ?? at;
        const rings = [at, holder].map((each) => getComputedStyle(each).outlineStyle);
        return at === document.body ? "" : [...document.querySelectorAll("*")].indexOf(at) + " " +
          rings.some((ring) => ring !== "none");
      })()`);
      if (at === "") continue;
      assert.match(at, /true$/, `no ring in ${name}`);
      seen.add(at);
    }
    assert(seen.size >= wanted, `${name}: ${seen.size} of ${wanted}`);
  }
  await page.context().close();
});

describe("with scripts", () => {
  test("a filter replaces the list, keeps the focus, the address and the way back", async () => {
    const page = await browser.page(DESKTOP);
    const complaints = complaintsAbout(page);
    await page.goto(`${url}/list`);
    await page.evaluate("window.isSame = true");
    await page.getByLabel("Search payments").fill("kofi");
    await page.getByLabel("Search payments").press("Enter");
    await page.getByText("1 payment", { exact: true }).first().waitFor();
    assert.equal(new URL(page.url()).search, "?q=kofi");
    assert.equal(await page.evaluate("document.activeElement.id"), "search-q");
    assert.equal(await page.locator("#announcer").textContent(), "1 payment");
    await page.getByText("Filters").click();
    await page.getByLabel("State").selectOption("declined");
    await page.getByText("No payments found").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Clear" }).first().click();
    await page.getByText("7 payments").first().waitFor();
    await page.goBack();
    await page.getByText("No payments found").waitFor();
    await page.goBack();
    await page.getByText("1 payment", { exact: true }).first().waitFor();
    assert.equal(await page.evaluate("window.isSame"), true, "it was never loaded anew");
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test("a link to a place on the page fetches nothing", async () => {
    const page = await browser.page(DESKTOP);
    // The page begins to listen for changes after it has loaded.
    const isConnected = page.waitForResponse(/changes/);
    await page.goto(`${url}/list`);
    await isConnected;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/list#main`);
    assert.equal(await page.evaluate("document.activeElement.id"), "main");
    await page.goBack();
    await page.waitForURL(`${url}/list`);
    assert.deepEqual(asked, []);
    await page.context().close();
  });

  test("a page is printed by its button, without buttons and navigation", async () => {
    const page = await browser.page(DESKTOP);
    await page.goto(`${url}/messages`);
    await page.evaluate("window.print = () => (window.isPrinted = true)");
    await page.getByRole("button", { name: "Print" }).click();
    assert.equal(await page.evaluate("window.isPrinted"), true);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByRole("button", { name: "Print" }).count(), 0);
    assert.equal(await page.getByRole("navigation").count(), 0);
    await page.context().close();
  });

  test("an answer that is no such page is left to the browser", async () => {
    const page = await browser.page(DESKTOP);
    await page.goto(`${url}/list`);
    await page.getByLabel("Search payments").fill("signed-out");
    await page.getByLabel("Search payments").press("Enter");
    await page.getByText("Elsewhere").waitFor();
    await page.context().close();
  });

  test("a dialog opens in place, is closed by Escape and Cancel, and is sent once", async () => {
    const page = await browser.page(PHONE);
    const complaints = complaintsAbout(page);
    await page.goto(`${url}/detail`);
    const refund = page.getByRole("button", { name: "Refund", exact: true });
    const dialog = page.getByRole("dialog", { name: "Refund order-1042" });
    await refund.click();
    assert.deepEqual(await axeViolations(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await refund.click();
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await refund.click();
    posted.length = 0;
    const answered = page.waitForResponse((response) => response.status() === 204);
    await dialog.getByRole("button", { name: /^Refund TTD/ }).dblclick();
    await answered;
    assert.deepEqual(posted, ["/dev/parts"]);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test("a value is copied, and the button says so", async () => {
    const page = await browser.page(DESKTOP);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${url}/detail`);
    await page.getByRole("button", { name: "Copy reference" }).click();
    await page.getByRole("button", { name: "Copied reference" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    assert.equal(copied, "SB-TT-01JCZ8Q7W3K5V9H2M4N6P8R0S1");
    await page.context().close();
  });

  test("what is live is replaced when its source says that something changed", async () => {
    const page = await browser.page(DESKTOP);
    const complaints = complaintsAbout(page);
    const isConnected = page.waitForResponse(/changes/);
    await page.goto(`${url}/overview`);
    await isConnected;
    await page.evaluate("document.querySelector('h1').textContent = 'Untouched'");
    heading = "Newest payments";
    for (const listener of listeners) listener.write("event: changed\ndata:\n\n");
    await page.getByRole("heading", { name: "Newest payments" }).waitFor();
    assert.equal(await page.locator("h1").textContent(), "Untouched");
    heading = "Last payments";
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});

describe("without scripts", () => {
  const options = { ...PHONE, javaScriptEnabled: false };

  test("filters, dialogs, menus and navigation work as pages", async () => {
    const page = await browser.page(options);
    await page.goto(`${url}/list`);
    await page.getByLabel("Search payments").fill("kofi");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("1 payment", { exact: true }).waitFor();
    await page.getByRole("link", { name: "order-1039" }).click();
    assert.equal(await page.getByText("Copy", { exact: true }).first().isVisible(), false);
    await page.getByRole("button", { name: "Refund" }).click();
    await page.getByRole("heading", { name: "Refund order-1042" }).waitFor();
    assert.equal(await page.getByLabel("Amount").inputValue(), "105.20");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByText("MJ").click();
    await page.getByRole("link", { name: "Your profile" }).waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Forms" }).waitFor();
    const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
    assert.equal(await current.textContent(), "Settings");
    const environment = page.getByRole("button", { name: "Sandbox", exact: true });
    assert.equal(await environment.getAttribute("aria-current"), "true");
    await page.context().close();
  });
});
