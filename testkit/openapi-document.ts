/** The document as it is published, made without a server, and how to find one's way in it. */

import { appRoutes } from "../src/app.ts";
import { readConfig } from "../src/infra/config.ts";
import type { Route } from "../src/infra/http/route.ts";
import { openapiOf } from "../src/site/openapi/openapi.ts";

export type Part = Readonly<Record<string, unknown>>;

interface Example {
  readonly value: unknown;
}

export interface Content {
  readonly schema: Part;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Part;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Part>>;
  /** A 304 has none. */
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

export function publishedRoutes(): readonly Route<never>[] {
  const config = readConfig({});
  const routes = appRoutes({ config }) as readonly Route<never>[];
  return routes.filter((route) => !route.isHidden);
}

export function publishedDocument(): Document {
  return openapiOf(publishedRoutes(), readConfig({})) as unknown as Document;
}

/** What a reference leads to; anything else is itself. */
export function resolver(document: object): <T>(part: T) => T {
  return <T>(part: T) => {
    const { $ref } = part as { $ref?: string };
    if ($ref === undefined) return part;
    const steps = $ref.replace(/^#\//, "").split("/");
    return steps.reduce<unknown>((at, step) => (at as Part | undefined)?.[step], document) as T;
  };
}

/** Each operation with its name, as `GET /user/`. */
export function operationsOf(document: Document): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}
