import {
  type ASTVisitor,
  buildASTSchema,
  type DefinitionNode,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isRequiredInputField,
  type NameNode,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

type SchemaCoordinates = Set<string>;

/**
 * Returns the part of a schema that the queries select: types, fields, arguments and members of inputs. An interface keeps the
 * types that a query narrows it to, and those of `answered` ("Interface:Type").
 */
export function reducedSchema(idl: string, queries: readonly string[], answered: readonly string[]): string {
  const github = parse(idl, { noLocation: true });
  // GitHub's own text declares one field twice, which graphql-js would otherwise refuse.
  const schema = buildASTSchema(github, { assumeValidSDL: true });
  const coordinates: SchemaCoordinates = new Set(answered.flatMap((pair) => [pair, ...pair.split(":")]));
  for (const query of queries) keepSelected(schema, query, coordinates);
  keepInherited(schema, coordinates);
  const definitions = github.definitions.flatMap((definition) => reduced(definition, coordinates));
  const bare = visit(
    { ...github, definitions },
    {
      enter: (node) => ("description" in node ? { ...node, description: undefined } : undefined),
      Directive: () => null,
    },
  );
  return `${print(bare)}\n`;
}

interface Named {
  readonly name: NameNode;
}

function reduced(type: DefinitionNode, coordinates: SchemaCoordinates): readonly DefinitionNode[] {
  if (!("name" in type) || type.name === undefined || !coordinates.has(type.name.value)) return [];
  const name = type.name.value;
  const under = (owner: string) => (member: Named) => coordinates.has(`${owner}.${member.name.value}`);
  if (type.kind === "InputObjectTypeDefinition")
    return [{ ...type, fields: (type.fields ?? []).filter(under(name)) }];
  if (type.kind !== "ObjectTypeDefinition" && type.kind !== "InterfaceTypeDefinition") return [type];
  const fields = (type.fields ?? []).filter(under(name)).map((field) => ({
    ...field,
    arguments: (field.arguments ?? []).filter(under(`${name}.${field.name.value}`)),
  }));
  const interfaces = (type.interfaces ?? []).filter((face) => coordinates.has(`${face.name.value}:${name}`));
  return [{ ...type, interfaces, fields }];
}

function keepSelected(schema: GraphQLSchema, query: string, coordinates: SchemaCoordinates): void {
  const info = new TypeInfo(schema);
  const document = parse(query);
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === "FragmentDefinition" ? [[one.name.value, one.typeCondition.name.value]] : [],
    ),
  );
  const keep = (name: string, type: GraphQLInputType | GraphQLOutputType): void => {
    const named = getNamedType(type);
    coordinates.add(name).add(named.name);
    if (!isInputObjectType(named)) return;
    for (const field of Object.values(named.getFields()).filter(isRequiredInputField)) {
      keep(`${named.name}.${field.name}`, field.type);
    }
  };
  /** A value that is a variable may have every member. */
  const keepWhole = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return;
    for (const field of Object.values(named.getFields())) {
      const isNew = !coordinates.has(`${named.name}.${field.name}`);
      keep(`${named.name}.${field.name}`, field.type);
      if (isNew) keepWhole(field.type);
    }
  };
  const keepNarrowed = (type: string | undefined): void => {
    if (type !== undefined) coordinates.add(type).add(`${info.getParentType()?.name}:${type}`);
  };
  const visitor = {
    InlineFragment: (node) => keepNarrowed(node.typeCondition?.name.value),
    FragmentSpread: (node) => keepNarrowed(fragments.get(node.name.value)),
    Field: () => {
      const [parent, field] = [info.getParentType(), info.getFieldDef()];
      if (parent == null || field == null || field.name.startsWith("__")) return;
      coordinates.add(parent.name);
      keep(`${parent.name}.${field.name}`, field.type);
    },
    Argument: (node) => {
      const argument = info.getArgument();
      if (argument == null) return;
      if (node.value.kind === "Variable") keepWhole(argument.type);
      keep(`${info.getParentType()?.name}.${info.getFieldDef()?.name}.${argument.name}`, argument.type);
    },
    ObjectField: (node) => {
      const [parent, type] = [info.getParentInputType(), info.getInputType()];
      if (parent != null && type != null) keep(`${getNamedType(parent).name}.${node.name.value}`, type);
    },
  } as const satisfies ASTVisitor;
  visit(document, visitWithTypeInfo(info, visitor));
}

/** Keeps the fields of an interface in each type that stands behind it. */
function keepInherited(schema: GraphQLSchema, coordinates: SchemaCoordinates): void {
  for (const pair of [...coordinates].filter((name) => name.includes(":"))) {
    const [face = "", type = ""] = pair.split(":");
    const shared = schema.getType(face);
    if (!isInterfaceType(shared)) continue;
    for (const field of Object.keys(shared.getFields()).filter((name) =>
      coordinates.has(`${face}.${name}`),
    )) {
      coordinates.add(`${type}.${field}`);
    }
  }
}
