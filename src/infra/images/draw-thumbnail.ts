/**
 * One picture to what is kept of it: upright, first frame, PNG without metadata, as a square of 200
 * that it fills or a logo inside 480 by 160 (Decision 0021, Decision 0093). Runs in the decoder
 * process only.
 *
 * libvips could read far more than the five types; all its loaders are blocked but three.
 */

import { renderAsync } from "@resvg/resvg-js";
import sharp, { type Sharp } from "sharp";
import { decodeBmp } from "./decode-bmp.ts";
import { PictureRefused } from "./picture-refused.ts";
import { demandDimensions, FRAMES, PIXELS_MAX, type PictureShape } from "./picture-size.ts";
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

export async function drawPicture(
  type: PictureType,
  file: Buffer,
  shape: PictureShape,
): Promise<Buffer> {
  switch (type) {
    case "bmp": {
      const { width, height, rgba } = decodeBmp(file);
      return finish(sharp(rgba, { raw: { width, height, channels: 4 } }), shape);
    }
    case "svg":
      return finish(sharp(await renderSvg(file, shape, Number.POSITIVE_INFINITY)), shape);
    default:
      return finish(await readRaster(type, file), shape);
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

export async function drawLightSvg(file: Buffer, shape: PictureShape): Promise<Buffer> {
  return finish(sharp(await renderSvg(file, shape, LIGHT_MS_MAX)), shape);
}

async function readRaster(type: "gif" | "jpeg" | "png", file: Buffer): Promise<Sharp> {
  const { format, width, height } = await refusing(
    sharp(file, { limitInputPixels: false }).metadata(),
  );
  if (format !== type) throw new PictureRefused("damaged", `it says ${type} and is ${format}`);
  demandDimensions(width, height);
  return sharp(file, { failOn: "warning", limitInputPixels: PIXELS_MAX });
}

async function renderSvg(file: Buffer, shape: PictureShape, costMsMax: number): Promise<Buffer> {
  const root = readSvg(file);
  const costMs = weighSvg(root, shape);
  if (costMs > costMsMax) throw new SvgIsHeavy(costMs);
  const markup = writeSvg(root, shape);
  const rendered = await refusing(renderAsync(markup, { font: { loadSystemFonts: false } }));
  return rendered.asPng();
}

async function finish(picture: Sharp, shape: PictureShape): Promise<Buffer> {
  const { width, height, fit } = FRAMES[shape];
  const png = await refusing(
    picture
      .autoOrient()
      .resize(width, height, { fit, withoutEnlargement: fit === "inside" })
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
