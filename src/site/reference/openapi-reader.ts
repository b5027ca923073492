/** The parts of the OpenAPI document that the reference shows, with its references resolved. */

import type { JsonSchema } from "../../kit/schema.ts";
import { inReadingOrder } from "./reading-order.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly maxLength?: number;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value: unknown }>
  >;
}

type Content = Readonly<Record<string, Media>>;

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Called extends Operation {
  readonly method: string;
  readonly path: string;
}

export interface Chapter {
  readonly name: string;
  readonly about: string;
  readonly slug: string;
  readonly operations: readonly Called[];
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ReadDocument {
  readonly chapters: readonly Chapter[];
  /** What a reference stands for; anything else is itself. */
  resolve<T extends { readonly $ref?: string }>(part: T): T;
}

export function readDocument(openapi: JsonSchema): ReadDocument {
  const { tags, paths, components } = openapi as unknown as Document;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Called => ({ ...operation, method: method.toUpperCase(), path }),
    ),
  );
  const chapters = tags.map(({ name, description }) => ({
    name,
    about: description,
    slug: slugOf(name),
    operations: inReadingOrder(
      name,
      all.filter((operation) => operation.tags[0] === name),
    ),
  }));
  return {
    chapters,
    resolve<T extends { readonly $ref?: string }>(part: T): T {
      const [, , kind = "", name = ""] = part.$ref?.split("/") ?? [];
      return part.$ref === undefined ? part : (components[kind]?.[name] as T);
    },
  };
}

export function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
