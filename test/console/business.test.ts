/**
 * The business profile in the console: by the rules of the API, audited, with what was typed kept
 * after a refusal; and its time zone is the console's from then on (Decision 0093).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { auditsOf } from "../../testkit/auth.ts";
import { signInTo } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const PAGE = "/console/settings/business";
const LOGO = `${PAGE}/logo`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90"
  height="30" fill="teal"/></svg>`;

async function shop() {
  const who = await service.world.merchant();
  const { access_token: token } = await who.signIn();
  const profile = async () => (await service.request("/user/business", { token })).body.data;
  return { who, profile, tab: await signInTo(service, who) };
}

test("is saved, shown again and cleared", async () => {
  const { who, profile, tab } = await shop();
  const typed = {
    business_name: "Sea Grape <Books>",
    website: "https://books.example",
    support_email: "help@books.example",
    support_phone: "+18686221234",
    accent_colour: "#FFE08A",
    language: "es",
    time_zone: "America/Barbados",
  };
  const saved = await tab.post(PAGE, typed, { from: PAGE });
  assert.equal(saved.headers.get("location"), `${PAGE}?done=saved`, saved.text);
  assert.deepEqual(await profile(), { ...typed, accent_colour: "#ffe08a", logo_url: null });
  const shown = (await tab.get(PAGE)).text;
  assert.match(shown, /value="Sea Grape &lt;Books&gt;"/);
  assert.match(shown, /<option value="es" selected/);
  const cleared = await tab.post(PAGE, { ...typed, website: "", language: "" }, { from: PAGE });
  assert.equal(cleared.status, 303);
  const { website, language, business_name } = await profile();
  assert.deepEqual([website, language, business_name], [null, null, typed.business_name]);
  assert.equal(await auditsOf(service, who, "business_changed"), 2);
});

test("a phone is typed as at home, and a colour may be picked without a script", async () => {
  const { profile, tab } = await shop();
  const home = { support_phone: "868 622 1234", accent_colour: "" };
  const picked = { accent_colour_picked: "#2e7d32", accent_colour_shown: "#0b5c66" };
  await tab.post(PAGE, { ...home, ...picked }, { from: PAGE });
  const { support_phone, accent_colour } = await profile();
  assert.deepEqual([support_phone, accent_colour], ["+18686221234", "#2e7d32"]);
  assert.match((await tab.get(PAGE)).text, /type="color"[^>]*value="#2e7d32"/);
  const untouched = { accent_colour_picked: "#2e7d32", accent_colour_shown: "#2e7d32" };
  await tab.post(PAGE, { ...home, ...untouched }, { from: PAGE });
  assert.equal((await profile()).accent_colour, null, "the text decides where nothing was picked");
  const none = await tab.post(PAGE, { support_phone: "12345" }, { from: PAGE });
  assert.equal(none.status, 400);
});

test("what was typed is kept when it is refused, and nothing changes", async () => {
  const { profile, tab } = await shop();
  const earlier = await profile();
  const typed = { business_name: "Books", accent_colour: "teal" };
  const refused = await tab.post(PAGE, typed, { from: PAGE });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /value="teal"/);
  assert.match(refused.text, /value="Books"/);
  assert.deepEqual(await profile(), earlier);
});

test("all fields that are wrong are told at once, in the words of the page", async () => {
  const { tab } = await shop();
  const typed = { support_email: "nobody", accent_colour: "green" };
  const { status, text } = await tab.post(PAGE, typed, { from: PAGE });
  assert.equal(status, 400);
  assert.match(text, /Please check 2 fields/);
  assert.match(text, /href="#support_email">“Support e-mail” /);
  assert.match(text, /id="accent_colour-wrong">“Colour” must be .* such as #0a7d3c/);
});

test("a logo is set and removed, and what is no picture is refused in words", async () => {
  const { profile, tab } = await shop();
  const none = await tab.upload(LOGO, { field: "logo", text: "no picture" }, { from: PAGE });
  assert.equal(none.status, 400);
  assert.match(none.text, /The logo must be a file of type: bmp, gif, jpeg, jpg, png, svg\./);
  const set = await tab.upload(LOGO, { field: "logo", text: SVG }, { from: PAGE });
  assert.equal(set.headers.get("location"), `${PAGE}?done=saved`, set.text);
  const { logo_url } = await profile();
  assert.ok((await tab.get(PAGE)).text.includes(`src="${new URL(logo_url).pathname}"`));
  assert.equal((await tab.post(`${LOGO}/remove`, {}, { from: PAGE })).status, 303);
  assert.equal((await profile()).logo_url, null);
});

test("days and times of the console are those of its zone", async () => {
  const { tab } = await shop();
  const zoneOn = async (path: string) =>
    (await tab.get(path)).text.includes("Days in Kiritimati time") ? "far" : "home";
  assert.equal(await zoneOn("/console/balance"), "home");
  await tab.post(PAGE, { time_zone: "Pacific/Kiritimati" }, { from: PAGE });
  assert.equal(await zoneOn("/console/balance"), "far");
});
