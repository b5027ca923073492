/**
 * The icons and the picture of link previews of the site, made from the one drawing of the brand,
 * `web/site/favicon.svg`.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { TestBrowser } from "../../testkit/browser.ts";

const FOLDER = fileURLToPath(new URL("../../web/site/", import.meta.url));
const ICO_SIDE = 32;
const TOUCH_SIDE = 180;
const CARD = { width: 1200, height: 630 };
const ICO_HEADER_BYTES = 22;

export async function makeSitePictures(browser: TestBrowser): Promise<void> {
  const drawing = await readFile(`${FOLDER}favicon.svg`);
  const png = (side: number) =>
    sharp(drawing, { density: (72 * side) / 24 })
      .resize(side, side)
      .png({ compressionLevel: 9 });
  await writeFile(`${FOLDER}favicon.ico`, icoOf(await png(ICO_SIDE).toBuffer()));
  await png(TOUCH_SIDE).flatten({ background: "#0b5a67" }).toFile(`${FOLDER}apple-touch-icon.png`);
  await sharp(await cardOf(browser, drawing.toString()))
    .png({ compressionLevel: 9, palette: true, colours: 64 })
    .toFile(`${FOLDER}social-card.png`);
}

/** An ICO with one PNG in it: a header, an entry, the picture. */
function icoOf(png: Buffer): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one picture
  header.writeUInt8(ICO_SIDE, 6);
  header.writeUInt8(ICO_SIDE, 7);
  header.writeUInt16LE(1, 10); // planes
  header.writeUInt16LE(32, 12); // bits of a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(ICO_HEADER_BYTES, 18);
  return Buffer.concat([header, png]);
}

async function cardOf(browser: TestBrowser, drawing: string): Promise<Buffer> {
  const page = await browser.page({ viewport: CARD });
  await page.setContent(`<!doctype html><style>
body { margin: 0; padding: 90px; height: 450px; background: #0b5a67; color: #fff;
  font-family: system-ui, "DejaVu Sans", sans-serif; display: flex; flex-direction: column;
  justify-content: space-between; }
svg { width: 110px; border-radius: 28px; outline: 4px solid #ffffff55; }
header { display: flex; gap: 32px; align-items: center; font-size: 52px; font-weight: 700; }
h1 { margin: 0; font-size: 84px; line-height: 1.08; letter-spacing: -2px; }
p { margin: 24px 0 0; font-size: 36px; color: #d5ecef; }
</style><header>${drawing}Windward</header>
<div><h1>Payments for<br>the Caribbean</h1>
<p>Checkout · Links · Webhooks · Saved cards · Withdrawals</p></div>`);
  const picture = await page.screenshot();
  await page.context().close();
  return picture;
}
