import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { getEndpointPath } from "../../src/platform/contract/wire/codec.ts";
import { openApiDocument } from "../../src/platform/openapi/document.ts";

/** JSON schema as far as the published document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

export interface Parameter {
  readonly name?: string;
  readonly in?: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const DOCUMENT = openApiDocument() as unknown as Document; // made to be that

/** The parameters of an operation as the document publishes it, and the schema of its body in JSON. */
export function findPublished(endpoint: Endpoint): {
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
} {
  const operation = DOCUMENT.paths[getEndpointPath(endpoint)]?.[endpoint.method.toLowerCase()];
  return {
    parameters: operation?.parameters ?? [],
    body: operation?.requestBody?.content["application/json"]?.schema,
  };
}

/** The schema itself where another one refers to it. */
export function resolveSchema(schema: Schema): Schema {
  const named = schema.$ref && DOCUMENT.components.schemas[schema.$ref.split("/").at(-1) ?? ""];
  return named ? resolveSchema(named) : schema;
}
