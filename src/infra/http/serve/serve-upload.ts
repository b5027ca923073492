/**
 * How a route with an upload is served. Its body is read as a stream, after the caller is known and
 * before the use case's time begins, and what is wrong with it is handed on as a sentence.
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
import { changesShared, demandMayChange } from "../admit/sandbox-key.ts";
import { required } from "../body/parse-multipart.ts";
import { hasBody } from "../body/read-body.ts";
import { readMultipart } from "../body/read-multipart.ts";
import type { Request } from "../request.ts";
import type { Route, Upload, UploadRules } from "../route.ts";
import { measured } from "./measure-requests.ts";
import type { Endpoint } from "./router.ts";
import { answererOf, routerPath } from "./serve-route.ts";

type UploadRoute<Ctx> = Route<Ctx> & { readonly upload: UploadRules };

export function isUpload<Ctx>(route: Route<Ctx>): route is UploadRoute<Ctx> {
  return route.upload !== undefined;
}

/** `whenOverridden`: the route of the same path that `_method` may name instead. */
export function uploadEndpoint<Ctx extends Infra>(
  ctx: Ctx,
  admissions: AdmissionContext,
  route: UploadRoute<Ctx>,
  whenOverridden: Route<Ctx> | undefined,
): Endpoint {
  const admission = admissionTo(route, ctx.config);
  const answerOwn = answererOf(ctx, route);
  const answerOther = whenOverridden && answererOf(ctx, whenOverridden);
  const overridden = whenOverridden && admissionTo(whenOverridden, ctx.config);
  const beforeTheBody = overridden ? withoutScopes(admission, ctx) : admission;
  return {
    measured: measured(route.method, routerPath(route.path)),
    errorPage: undefined,
    highPriority: false,
    isOperational: false,
    isUpload: true,
    async admit(request) {
      await admitRequest(admissions, beforeTheBody, request);
      if (overridden) await demandEither(admissions, [admission, overridden], request);
    },
    readBody: (request) => receiveUpload(request, route),
    async answer(request) {
      const upload = (request.body ?? nothingSent(route)) as Upload;
      const { _method: named } = upload.fields;
      const isOther = overridden !== undefined && named === whenOverridden?.method;
      if (overridden && !isOther && named)
        throw new FieldRefused(`The _method must be ${whenOverridden?.method}.`, {
          code: "field_not_allowed",
          field: "_method",
          hint: `Send _method as ${whenOverridden?.method}, or leave it out.`,
        });
      if (overridden) await admitCaller(admissions, isOther ? overridden : admission, request);
      const answer = isOther && answerOther ? answerOther : answerOwn;
      return answer(request, { upload });
    },
  };
}

function receiveUpload(
  { raw, caller, clientAddress }: Request,
  { upload }: UploadRoute<never>,
): Promise<Upload> | undefined {
  const contentType = raw.headers["content-type"];
  if (contentType === undefined && !hasBody(raw.headers)) return undefined;
  return readMultipart(raw, {
    contentType,
    fileField: upload.field,
    bytesMax: upload.bytesMax,
    sender: caller?.accountNumber ?? clientAddress,
  });
}

/** The caller is identified and counted with everything else; scopes are checked later. */
function withoutScopes({ access }: Admission, { config }: Infra): Admission {
  if (access === "public") throw new Error("a route whose method can be overridden is not public");
  const { accountType, credentials } = access;
  const asked = accountType === undefined ? { credentials } : { credentials, accountType };
  return admissionTo({ access: asked }, config);
}

/** No body is read of a caller who would be refused whichever method it turns out to mean. */
async function demandEither(
  admissions: AdmissionContext,
  [plain, overridden]: readonly [Admission, Admission],
  request: Request,
): Promise<void> {
  const { caller } = request;
  if (caller === undefined) return;
  const either = [plain, overridden];
  if (!either.some(({ access }) => mayUse(access, caller)))
    await admitCaller(admissions, plain, request);
  await demandRoom(admissions, either, caller);
  // With the scope of one method only, the body decides which refusal it is.
  if (either.every(({ access }) => mayUse(access, caller) && changesShared(access)))
    demandMayChange(plain.access, caller);
}

function nothingSent({ upload }: UploadRoute<never>): Upload {
  return { fields: {}, problem: required(upload.field) };
}
