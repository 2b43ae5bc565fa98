import type { z } from "zod";
import { APIS } from "../contract/apis.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { NamedShapes } from "./named-shapes.ts";

const PARTS = [
  ["params", "path"],
  ["query", "query"],
  ["headers", "header"],
] as const;

/** Returns every parameter of an endpoint: the account first, then path, query and headers as declared. */
export function describeParameters(endpoint: Endpoint, shapes: NamedShapes): readonly JsonSchema[] {
  const own = PARTS.flatMap(([part, place]) => {
    const schema = endpoint[part];
    return schema === undefined ? [] : describePlace(place, describeShape(schema, shapes), endpoint);
  });
  return [...describeAccountParameter(endpoint), ...own, ...describeSizeHeader(endpoint)];
}

interface ObjectShape {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

function describeShape(schema: z.ZodObject, shapes: NamedShapes): ObjectShape {
  const { properties = {}, required = [] } = shapes.describe(schema, "request");
  return { properties, required } as ObjectShape; // JSON Schema of an object
}

function describePlace(place: string, shape: ObjectShape, endpoint: Endpoint): readonly JsonSchema[] {
  return Object.entries(shape.properties).map(([name, { description, ...schema }]) => {
    const words = [description, ...listParameterNotes(endpoint, name)]
      .filter((part) => part !== undefined)
      .join(" ");
    const required = place === "path" || shape.required.includes(name);
    return { name, in: place, required, ...(words === "" ? {} : { description: words }), schema };
  });
}

function listParameterNotes({ aliases, slashes }: Endpoint, name: string): readonly string[] {
  const others = aliases?.[name] ?? [];
  return [
    ...(others.length === 0 ? [] : [`Also taken as ${others.map((other) => `\`${other}\``).join(", ")}.`]),
    ...(slashes?.includes(name) === true ? ["Its slashes are sent as they are."] : []),
  ];
}

/** References to what `components.parameters` describes. */
function describeAccountParameter({ api }: Endpoint): readonly JsonSchema[] {
  const { account } = APIS[api];
  return account === "path" ? [] : [{ $ref: `#/components/parameters/${ACCOUNT_AT[account]}` }];
}

const ACCOUNT_AT = { header: "AccountHeader", query: "AccountQuery" } as const;

/** `Content-Length`; servers count what arrives, so a missing one is no error. */
const describeSizeHeader = ({ sizeHeader }: Endpoint): readonly JsonSchema[] =>
  sizeHeader === undefined
    ? []
    : [
        {
          name: sizeHeader,
          in: "header",
          required: false,
          description: "Size of the body in bytes.",
          schema: { type: "integer", minimum: 0 },
        },
      ];

const identifier: JsonSchema = { type: "string", minLength: 1, maxLength: 128 };

/** Returns the parameters that name the account, for a dialect whose header is `accountHeader`. */
export const describeAccountParameters = (accountHeader: string): Readonly<Record<string, JsonSchema>> => ({
  AccountHeader: {
    name: accountHeader,
    in: "header",
    required: true,
    description: "Id of the account that the call is about.",
    schema: identifier,
  },
  AccountQuery: {
    name: "accountIdentifier",
    in: "query",
    required: true,
    description: "Id of the account that the call is about.",
    schema: identifier,
  },
});
