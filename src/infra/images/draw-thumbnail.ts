/**
 * One picture to one thumbnail: 200 by 200, filled, upright, first frame, PNG without metadata
 * (Decision 0021). Runs in the decoder process only.
 *
 * libvips could read far more than the five types; all its loaders are blocked but three.
 */

import { renderAsync } from "@resvg/resvg-js";
import sharp, { type Sharp } from "sharp";
import { decodeBmp } from "./decode-bmp.ts";
import { PictureRefused } from "./picture-refused.ts";
import { demandDimensions, PIXELS_MAX, THUMBNAIL_SIDE } from "./picture-size.ts";
import type { PictureType } from "./picture-type.ts";
import { readSvg } from "./read-svg.ts";
import { weighSvg } from "./weigh-svg.ts";
import { writeSvg } from "./write-svg.ts";

/** Twelve that cost as much take no more than a second together (Decision 0069). */
const LIGHT_MS_MAX = 80;

sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
});
sharp.cache(false);
sharp.concurrency(1);

export async function drawThumbnail(type: PictureType, file: Buffer): Promise<Buffer> {
  switch (type) {
    case "bmp": {
      const { width, height, rgba } = decodeBmp(file);
      return finish(sharp(rgba, { raw: { width, height, channels: 4 } }));
    }
    case "svg":
      return finish(sharp(await renderSvg(file, Number.POSITIVE_INFINITY)));
    default:
      return drawRaster(type, file);
  }
}

/** It may take longer than that: it is to be drawn where others do not wait for it. */
export class SvgIsHeavy extends Error {
  readonly costMs: number;

  constructor(costMs: number) {
    super(`it may take ${costMs} ms`);
    this.costMs = costMs;
  }
}

export async function drawLightSvg(file: Buffer): Promise<Buffer> {
  return finish(sharp(await renderSvg(file, LIGHT_MS_MAX)));
}

async function drawRaster(type: "gif" | "jpeg" | "png", file: Buffer): Promise<Buffer> {
  const { format, width, height } = await refusing(
    sharp(file, { limitInputPixels: false }).metadata(),
  );
  if (format !== type) throw new PictureRefused("damaged", `it says ${type} and is ${format}`);
  demandDimensions(width, height);
  return finish(sharp(file, { failOn: "warning", limitInputPixels: PIXELS_MAX }));
}

async function renderSvg(file: Buffer, costMsMax: number): Promise<Buffer> {
  const root = readSvg(file);
  const costMs = weighSvg(root);
  if (costMs > costMsMax) throw new SvgIsHeavy(costMs);
  const markup = writeSvg(root);
  const rendered = await refusing(renderAsync(markup, { font: { loadSystemFonts: false } }));
  return rendered.asPng();
}

async function finish(picture: Sharp): Promise<Buffer> {
  const png = await refusing(
    picture
      .autoOrient()
      .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: "cover" })
      .toColourspace("srgb")
      .png({ compressionLevel: 9 })
      .toBuffer(),
  );
  return bareChunks(png);
}

const PNG_MAGIC_BYTES = 8;
const CHUNKS_KEPT = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"];

/** The encoder still writes how many dots to the inch the file once claimed. */
function bareChunks(png: Buffer): Buffer {
  const parts = [png.subarray(0, PNG_MAGIC_BYTES)];
  for (let at = PNG_MAGIC_BYTES; at < png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    if (CHUNKS_KEPT.includes(png.toString("latin1", at + 4, at + 8)))
      parts.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** Whatever a library says about a file is about the file. */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new PictureRefused("damaged", error);
  }
}
