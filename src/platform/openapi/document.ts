import type { Contract, Endpoint } from "../contract/endpoint.ts";
import { contract as whole } from "../contract/registry.ts";
import { getEndpointPath } from "../contract/wire/address.ts";
import { DIALECTS, type DialectName } from "../contract/wire/dialect.ts";
import { describeErrorResponses, describeResponses } from "./answers.ts";
import { buildRequestBody } from "./bodies.ts";
import type { JsonSchema } from "./json-schema.ts";
import { NamedShapes } from "./named-shapes.ts";
import { describeAccountParameters, describeParameters } from "./parameters.ts";

const DESCRIPTION = [
  "Every operation of the platform that Tollgate speaks to and that its embedded platform answers.",
  "`x-source` names the section of the platform's documents; operations with `x-extra` are Tollgate's own.",
  "Members that an operation does not declare are ignored in the bodies of requests and may be added to answers; query parameters that it does not declare are refused.",
].join(" ");

/** Returns the contract as an OpenAPI 3.1 document, in the contract's order; equal contracts give equal documents. */
export function openApiDocument(
  dialect: DialectName = "neutral",
  contract: Contract = whole,
): Readonly<Record<string, unknown>> {
  const shapes = new NamedShapes(dialect);
  const endpoints = Object.values(contract);
  const paths: Record<string, JsonSchema> = {};
  for (const [name, endpoint] of Object.entries(contract)) {
    const path = getEndpointPath(endpoint, dialect);
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeOperation(name, endpoint, shapes),
    };
  }
  const responses = describeErrorResponses(endpoints, shapes);
  const finished = shapes.finish({ paths, responses });
  return {
    openapi: "3.1.0",
    info: { title: "Tollgate's platform", version: "1", description: DESCRIPTION },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((name) => ({ name })),
    paths: finished.document.paths,
    components: {
      securitySchemes: { token: { type: "apiKey", in: "header", name: "x-api-key" } },
      parameters: describeAccountParameters(DIALECTS[dialect].accountHeader),
      responses: finished.document.responses,
      schemas: finished.schemas,
    },
  };
}

function describeOperation(name: string, endpoint: Endpoint, shapes: NamedShapes): JsonSchema {
  const { area, operation, summary, description, source, extra } = endpoint;
  const body = buildRequestBody(endpoint, shapes);
  return {
    operationId: name,
    tags: [area],
    summary,
    ...(description === undefined ? {} : { description }),
    "x-command": `${area} ${operation}`,
    "x-source": source,
    ...(extra === true ? { "x-extra": true } : {}),
    parameters: [...describeParameters(endpoint, shapes)],
    ...(body === null ? {} : { requestBody: body }),
    responses: describeResponses(endpoint, shapes),
  };
}
