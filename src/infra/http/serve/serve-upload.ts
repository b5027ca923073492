/**
 * How a route with an upload is served. Its body is read as a stream, after the caller is known and
 * before the handler's time begins, and what is wrong with it is handed on as a sentence.
 *
 * Clients that cannot send a file with PATCH send POST with a field `_method=PATCH` (Interface
 * §4.2). What such a request is shows only in its body: at the door it needs the scopes of either
 * method, and the limit and scope of the one it turns out to be are asked for once that is known
 * (Decision 0021).
 */

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { FieldRefused } from "../../../kit/errors.ts";
import type { Infra } from "../../context.ts";
import {
  type Admission,
  admissionTo,
  admitCaller,
  admitRequest,
  type Doorkeeper,
  demandRoom,
  mayUse,
} from "../admit/admit-request.ts";
import { changesShared, demandMayChange } from "../admit/sandbox-key.ts";
import type { Answer } from "../answer.ts";
import { required, type Upload } from "../body/parse-multipart.ts";
import { readMultipart } from "../body/read-multipart.ts";
import { endSlowly } from "../end-connection.ts";
import type { Route, UploadRules } from "../route.ts";
import { measured } from "./measure-requests.ts";
import { answererOf, fastifyPath, sendWhenReady } from "./serve-route.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    isUpload?: true;
  }
}

export type UploadRoute<Ctx> = Route<Ctx> & { readonly upload: UploadRules };

/** `whenOverridden`: the route of the same path that `_method` may name instead. */
export function serveUpload<Ctx extends Infra>(
  app: FastifyInstance,
  ctx: Ctx,
  door: Doorkeeper,
  route: UploadRoute<Ctx>,
  whenOverridden: Route<Ctx> | undefined,
): void {
  const admission = admissionTo(route, ctx.config);
  const url = fastifyPath(route.path);
  const counts = measured(route.method, url);
  const answerOwn = answererOf(ctx, route);
  const answerOther = whenOverridden && answererOf(ctx, whenOverridden);
  const overridden = whenOverridden && admissionTo(whenOverridden, ctx.config);
  const atTheDoor = overridden ? withoutScopes(admission, ctx) : admission;

  async function answerUpload(request: FastifyRequest, reply: FastifyReply): Promise<Answer> {
    const upload = (request.body ?? nothingSent(route)) as Upload;
    if (upload.tooLarge) letGo(request, reply);
    const { _method: named } = upload.fields;
    const isOther = overridden !== undefined && named === whenOverridden?.method;
    if (overridden && !isOther && named)
      throw new FieldRefused(`The _method must be ${whenOverridden?.method}.`, {
        code: "field_not_allowed",
        field: "_method",
        hint: `Send _method as ${whenOverridden?.method}, or leave it out.`,
      });
    if (overridden) await admitCaller(door, isOther ? overridden : admission, request, reply);
    const answer = isOther && answerOther ? answerOther : answerOwn;
    return answer(request, { upload });
  }

  // A scope of its own, because a parser of bodies belongs to a scope and not to a route.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", async (request: FastifyRequest, payload: IncomingMessage) =>
      readMultipart(payload, {
        contentType: request.headers["content-type"],
        fileField: route.upload.field,
        bytesMax: route.upload.bytesMax,
        sender: request.caller?.accountNumber ?? request.clientAddress,
      }),
    );
    scope.route({
      method: route.method,
      url,
      config: { isUpload: true },
      onRequest: async (request, reply) => {
        request.measured = counts;
        await admitRequest(door, atTheDoor, request, reply);
        if (overridden) await demandEither(door, [admission, overridden], request, reply);
      },
      handler: (request, reply) => sendWhenReady(reply, answerUpload(request, reply)),
    });
  });
}

/** Who is calling, counted with everything else; what they may do is asked later. */
function withoutScopes({ access }: Admission, { config }: Infra): Admission {
  if (access === "public") throw new Error("a route whose method can be overridden is not public");
  const { accountType, credentials } = access;
  const asked = accountType === undefined ? { credentials } : { credentials, accountType };
  return admissionTo({ access: asked }, config);
}

/** Nobody has a body read who would be refused whichever method it turns out to mean. */
async function demandEither(
  door: Doorkeeper,
  [plain, overridden]: readonly [Admission, Admission],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller } = request;
  if (caller === undefined) return;
  const either = [plain, overridden];
  if (!either.some(({ access }) => mayUse(access, caller)))
    await admitCaller(door, plain, request, reply);
  await demandRoom(door, either, caller);
  // With the scope of one method only, the body decides which refusal it is.
  if (either.every(({ access }) => mayUse(access, caller) && changesShared(access)))
    demandMayChange(plain.access, caller);
}

function nothingSent({ upload }: UploadRoute<never>): Upload {
  return { fields: {}, problem: required(upload.field) };
}

/**
 * The rest of its body is thrown away while it reads the answer; then the connection ends. Node
 * would close it with bytes unread, and the reset that follows can overtake the answer.
 */
function letGo({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw;
  raw.resume();
  reply.header("connection", "close");
  socket.destroySoon = () => endSlowly(socket);
}
