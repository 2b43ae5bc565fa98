import { z } from "zod";
import { VERSION } from "../../package/version.ts";
import { APPLIES_PATH, ApplyAnswer, ApplyRequest } from "../applies/contract.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";

/** Describes the API as an OpenAPI 3.1 document. */
export const buildApiDocument = () => ({
  openapi: "3.1.0",
  info: {
    title: "Tollgate",
    version: VERSION.replace(/[^\d.].*$/, ""),
    summary: "Evaluations, pull requests, rules and decisions, for programs.",
    description:
      "A reader sees what they see on the pages: the repositories that GitHub lets them read, or those of a read token. Amounts are exact decimal texts per month, each with its currency.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  security: [{ token: [] }],
  paths: listPaths(),
  components: {
    schemas: { Error: toSchema(ErrorShape) },
    securitySchemes: {
      token: {
        type: "http",
        scheme: "bearer",
        description: "A token of `tollgate token create --for read`, or a user token of this GitHub App.",
      },
    },
  },
});

interface PathItem {
  readonly get?: ReturnType<typeof describe>;
  readonly post?: ReturnType<typeof describeApplies>;
}

const listPaths = (): Readonly<Record<string, PathItem>> => ({
  ...Object.fromEntries(OPERATIONS.map((operation) => [operation.path, { get: describe(operation) }])),
  [APPLIES_PATH]: { post: describeApplies() },
});

/** Every error. */
const ErrorShape = z.object({
  message: z.string(),
  problems: z.array(z.object({ parameter: z.string(), message: z.string() })).optional(),
});

const ERRORS = {
  "400": "The query has mistakes.",
  "401": "No valid token, and nobody is signed in.",
  "404": "It does not exist, or you cannot read its repository on GitHub.",
  "429": "Too many requests.",
  "503": "GitHub does not answer, so nothing is shown.",
};

const describeApplies = () => ({
  operationId: "verifyApply",
  summary: "Verifies the plan of a job that applies",
  description:
    "The bearer token is one for imports or notifications of the repository, or the id token of a GitHub Actions job of it.",
  requestBody: {
    required: true,
    content: { "application/json": { schema: toSchema(ApplyRequest, "input") } },
  },
  responses: {
    "200": {
      description: "Whether the apply does at most what was evaluated",
      content: { "application/json": { schema: toSchema(ApplyAnswer) } },
    },
    ...describeErrors({
      ...ERRORS,
      "400": "The body has mistakes.",
      "403": "The token is not valid for this repository or commit.",
      "413": "The body is larger than 2 MiB.",
    }),
  },
});

const describeErrors = (errors: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [
      status,
      {
        description,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );

function describe({ id, summary, pathShape, queryShape, answerShape, isPaged }: Operation) {
  const link = { description: 'The next page: `<address>; rel="next"`.', schema: { type: "string" } };
  return {
    operationId: id,
    summary,
    parameters: [...listParameters(pathShape, "path"), ...listParameters(queryShape, "query")],
    responses: {
      "200": {
        description: summary,
        ...(isPaged && { headers: { Link: link } }),
        content: { "application/json": { schema: toSchema(answerShape) } },
      },
      ...describeErrors(ERRORS),
    },
  };
}

function listParameters(shape: z.ZodObject, place: "path" | "query") {
  const { properties = {} } = toSchema(shape);
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = typeof schema === "object" ? schema : {};
    const member: z.core.$ZodType | undefined = shape.shape[name];
    const isRequired = place === "path" || (member !== undefined && !z.safeParse(member, undefined).success);
    return {
      ...{ name, in: place, required: isRequired, schema: rest },
      ...(description !== undefined && { description }),
    };
  });
}

function toSchema(shape: z.ZodType, io: "input" | "output" = "output") {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io });
  return schema;
}
