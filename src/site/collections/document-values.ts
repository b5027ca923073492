/** The parts of an OpenAPI document that a collection is made of, and how to read them. */

export interface DocumentSchema {
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
}

interface WithExamples {
  readonly schema?: DocumentSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface DocumentParameter extends WithExamples {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

export interface DocumentOperation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly object[];
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, WithExamples>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface OpenapiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

/** The value with every reference replaced by its target. */
export function inlined<T>(document: OpenapiDocument, value: T): T {
  const text = JSON.stringify(value, (_, part: unknown) => {
    const { $ref } = (part ?? {}) as { $ref?: unknown };
    if (typeof $ref !== "string") return part;
    const steps = $ref.replace(/^#\//, "").split("/");
    const target = steps.reduce<unknown>((at, step) => Object(at)[step], document);
    return inlined(document, target);
  });
  return JSON.parse(text) as T;
}

/** The example of a parameter or a body; undefined when the document has none. */
export function exampleOf({ example, examples }: WithExamples): unknown {
  const [first] = Object.values(examples ?? {});
  return example ?? first?.value;
}

/** The lowest success status that the operation lists. */
export function successOf({ responses }: DocumentOperation): number {
  const statuses = Object.keys(responses).map(Number);
  return Math.min(...statuses.filter((status) => status >= 200 && status < 300));
}
