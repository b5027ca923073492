/** A picture in a form, as it will be stored, or a 400 that says what is wrong with the file. */

import { FieldRefused } from "../../../kit/errors.ts";
import { PictureRefused, refusalOf } from "../../images/picture-refused.ts";
import type { Upload } from "../route.ts";
import { required } from "./parse-multipart.ts";

export async function drawUpload(
  name: "picture" | "logo",
  { file, problem = required(name) }: Upload,
  draw: (file: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const about = {
    field: name,
    hint:
      `Send multipart/form-data with one file named ${name}: a bmp, gif, jpeg, png or svg of ` +
      "at most 5 MB and 25 million pixels.",
  };
  if (file === undefined) {
    const code = problem === required(name) ? "field_required" : "field_invalid";
    throw new FieldRefused(problem, { code, ...about });
  }
  try {
    return await draw(file);
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error;
    throw new FieldRefused(refusalOf(name, error.message), about);
  }
}
