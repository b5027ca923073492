/** What the tests of the profile picture share: requests about it, and what is kept of it. */

import { sql } from "../../../src/infra/db/query.ts";
import type { Credential } from "../../../testkit/credentials.ts";
import { fixture, pictureForm } from "../../../testkit/pictures.ts";
import type { RequestOptions, TestAnswer, TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

export const GOOD = fixture("netpbm.png");
export const OTHER = fixture("baseline-libjpeg.jpg");

export const CREATED = [201, { message: "Created" }] as const;
export const OK = [200, { message: "OK" }] as const;
export const EXISTS = [409, { message: "A profile picture already exists." }] as const;
export const NONE = [400, { message: "No profile picture exists." }] as const;

export function picture(
  service: TestService,
  { token, key }: Credential,
  method: "POST" | "PATCH" | "DELETE",
  sent: Omit<RequestOptions, "method"> | Buffer = {},
): Promise<TestAnswer> {
  const request = Buffer.isBuffer(sent) ? pictureForm(sent) : sent;
  const credential = { ...(token && { token }), ...(key && { key }) };
  return service.request("/user/picture", { method, ...credential, ...request });
}

export function told({ status, body }: TestAnswer): [number, unknown] {
  return [status, body];
}

interface PictureRow {
  picture_id: string;
  bytes: Buffer;
  created_at: Date;
  updated_at: Date;
}

export async function kept(
  service: TestService,
  { accountNumber }: Pick<Person, "accountNumber">,
): Promise<PictureRow | undefined> {
  return service.ctx.db.maybeOne<PictureRow>(sql`
    select picture_id, bytes, created_at, updated_at from pictures
    where account_number = ${accountNumber}`);
}
