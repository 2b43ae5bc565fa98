import { schema as published } from "@octokit/graphql-schema";
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from "graphql";
import { expect, test } from "vitest";
import { SDL } from "../../src/sandbox/graphql/sdl.ts";

// GitHub's own text declares one field twice, which graphql-js would otherwise refuse.
const github = buildSchema(published.idl, { assumeValidSDL: true });

/** Everything a type declares, a line each. */
function declared(type: GraphQLNamedType): string[] {
  if (isUnionType(type)) return type.getTypes().map((member) => `${type.name} = ${member.name}`);
  if (isEnumType(type)) return type.getValues().map((value) => `${type.name}.${value.name}`);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [`scalar ${type.name}`];
  const faces = type.getInterfaces().map((face) => `${type.name} implements ${face.name}`);
  const fields = Object.values(type.getFields()).flatMap((field) => [
    `${type.name}.${field.name}: ${field.type}`,
    ...field.args.map(
      ({ name, type: kind, defaultValue }) =>
        `${type.name}.${field.name}(${name}: ${kind} = ${JSON.stringify(defaultValue)})`,
    ),
  ]);
  return [...faces, ...fields];
}

const lines = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith("__"))
    .flatMap(declared);

/** What the first schema declares and the second does not. */
function strangers(ours: GraphQLSchema, theirs: GraphQLSchema): string[] {
  const known = new Set(lines(theirs));
  return lines(ours).filter((line) => !known.has(line));
}

test("the schema is a part of GitHub's: every type, field, argument, value and default is there, with the same type", () => {
  expect(strangers(buildSchema(SDL), github)).toEqual([]);
});

test("the comparison sees another type and an unknown name", () => {
  const wrong = SDL.replace("isDraft: Boolean!", "isDraft: Int").replace(
    "locked: Boolean!",
    "bolted: Boolean!",
  );
  expect(strangers(buildSchema(wrong), github)).toEqual([
    "PullRequest.isDraft: Int",
    "PullRequest.bolted: Boolean!",
  ]);
});
