/**
 * How a route with an upload is served. Its body is read as a stream, after the caller is known and
 * before the use case's time begins, and what is wrong with it is handed on as a sentence. A page
 * knows its caller by a cookie: it answers strangers before their body is read (`beforeUpload`).
 *
 * Clients that cannot send a file with PATCH send POST with a field `_method=PATCH` (Interface
 * §4.2). What such a request is shows only in its body: before that it needs the scopes of either
 * method; the limit and scope of the one it turns out to be are checked once that is known
 * (Decision 0021).
 */

import { FieldRefused } from "../../../kit/errors.ts";
import type { Infra } from "../../context.ts";
import {
  type Admission,
  type AdmissionContext,
  admissionTo,
  admitCaller,
  admitRequest,
  demandRoom,
  mayUse,
} from "../admit/admit-request.ts";
import { changesShared, demandMayChange } from "../admit/refuse-sandbox-writes.ts";
import type { Answer } from "../answer.ts";
import { required } from "../body/parse-multipart.ts";
import { hasBody } from "../body/read-body.ts";
import { readMultipart } from "../body/read-multipart.ts";
import { headerOf, type Request } from "../request.ts";
import type { CallHead, Route, Upload, UploadRules } from "../route.ts";
import type { Endpoint } from "./router.ts";
import { answerTo, endpointOf } from "./serve-route.ts";

interface UploadRoutes<Ctx> {
  readonly route: Route<Ctx>;
  readonly rules: UploadRules;
  /** The route of the same path that `_method` may name instead. */
  readonly other: Route<Ctx> | undefined;
}

export function uploadEndpoint<Ctx extends Infra>(
  ctx: Ctx,
  admissions: AdmissionContext,
  { route, rules, other }: UploadRoutes<Ctx>,
): Endpoint {
  const admission = admissionTo(route, ctx.config);
  const overridden = other && admissionTo(other, ctx.config);
  const answered = new WeakMap<Request, Answer>();
  const beforeTheBody = overridden ? withoutScopes(admission, ctx) : admission;
  return {
    ...endpointOf(ctx, admissions, route),
    isUpload: true,
    async admit(request) {
      await admitRequest(admissions, beforeTheBody, request);
      if (overridden) await demandEither(admissions, [admission, overridden], request);
      const answer = await route.beforeUpload?.(ctx, headOf(ctx, request));
      if (answer !== undefined) answered.set(request, answer);
    },
    readBody: (request) => (answered.has(request) ? undefined : receiveUpload(request, rules)),
    async answer(request) {
      const early = answered.get(request);
      if (early !== undefined) return early;
      const nothingSent: Upload = { fields: {}, problem: required(rules.field) };
      const upload = (request.body ?? nothingSent) as Upload;
      if (!other || !overridden) return answerTo(ctx, route, request, { upload });
      const { _method: named } = upload.fields;
      const isOther = named === other.method;
      if (!isOther && named)
        throw new FieldRefused(`The _method must be ${other.method}.`, {
          code: "field_not_allowed",
          field: "_method",
          hint: `Send _method as ${other.method}, or leave it out.`,
        });
      await admitCaller(admissions, isOther ? overridden : admission, request);
      return answerTo(ctx, isOther ? other : route, request, { upload });
    },
  };
}

function headOf({ config }: Infra, request: Request): CallHead {
  return {
    address: request.clientAddress,
    url: config.http.publicUrl + request.url,
    header: (name) => headerOf(request, name),
  };
}

function receiveUpload(
  { raw, caller, clientAddress }: Request,
  { field: fileField, bytesMax }: UploadRules,
): Promise<Upload> | undefined {
  const contentType = raw.headers["content-type"];
  if (contentType === undefined && !hasBody(raw.headers)) return undefined;
  const sender = caller?.accountNumber ?? clientAddress;
  return readMultipart(raw, { contentType, fileField, bytesMax, sender });
}

/** The caller is identified and counted with everything else; scopes are checked later. */
function withoutScopes({ access }: Admission, { config }: Infra): Admission {
  if (access === "public") throw new Error("a route whose method can be overridden is not public");
  const { accountType, credentials } = access;
  const known = accountType === undefined ? { credentials } : { credentials, accountType };
  return admissionTo({ access: known }, config);
}

/** No body is read of a caller who would be refused whichever method it turns out to mean. */
async function demandEither(
  admissions: AdmissionContext,
  either: readonly [Admission, Admission],
  request: Request,
): Promise<void> {
  const { caller } = request;
  if (caller === undefined) return;
  const [plain] = either;
  if (!either.some(({ access }) => mayUse(access, caller)))
    await admitCaller(admissions, plain, request);
  await demandRoom(admissions, either, caller);
  // With the scope of one method only, the body decides which refusal it is.
  if (either.every(({ access }) => mayUse(access, caller) && changesShared(access)))
    demandMayChange(plain.access, caller);
}
