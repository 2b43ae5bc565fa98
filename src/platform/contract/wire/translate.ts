import {
  createSchemaTest,
  findVocabulary,
  getSchemaParts,
  type SchemaParts,
  type Vocabulary,
  type ZodSchema,
} from "./schema-parts.ts";

/** The two sets of names in the platform's interface. */
export type DialectName = "neutral" | "live";

interface Dialect {
  /** Header that names the account; sent with every call. */
  readonly accountHeader: string;
  /** Gateway path in front of the provisioning service's paths; a setting can replace it. */
  readonly prefix: string;
  /** Values on the wire by the contract's value; values that are not listed are equal in both. */
  readonly values: Readonly<Record<Vocabulary, Readonly<Record<string, string>>>>;
  /** First words of member names on the wire by the contract's first word: `cloud1Accounts` is `awsAccounts`. */
  readonly firstWords: Readonly<Record<string, string>>;
}

/** `neutral`: the names in the platform's documents. `live`: the names of the running service. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  neutral: {
    accountHeader: "Platform-Account",
    prefix: "",
    values: { cloud: {}, provisioner: {}, anomalyField: {} },
    firstWords: {},
  },
  live: {
    accountHeader: "Harness-Account",
    prefix: "/gateway/iacm",
    values: {
      cloud: {
        CLOUD_1: "AWS",
        CLOUD_2: "AZURE",
        CLOUD_3: "GCP",
        AI_VENDOR_1: "OPENAI",
        AI_VENDOR_2: "ANTHROPIC",
      },
      provisioner: {
        iac_tool_1: "terraform",
        iac_tool_2: "opentofu",
        iac_tool_3: "terragrunt",
        iac_tool_4: "awscdk",
      },
      anomalyField: {
        CLOUD_1_ACCOUNT: "AWS_ACCOUNT",
        CLOUD_1_SERVICE: "AWS_SERVICE",
        CLOUD_1_USAGE_TYPE: "AWS_USAGE_TYPE",
        CLOUD_2_SUBSCRIPTION_GUID: "AZURE_SUBSCRIPTION_GUID",
        CLOUD_2_RESOURCE_GROUP_NAME: "AZURE_RESOURCE_GROUP_NAME",
        CLOUD_2_METER_CATEGORY: "AZURE_METER_CATEGORY",
        CLOUD_3_PROJECT: "GCP_PROJECT",
        CLOUD_3_PRODUCT: "GCP_PRODUCT",
        CLOUD_3_SKU_DESCRIPTION: "GCP_SKU_DESCRIPTION",
        AI_VENDOR_1_PROJECT_ID: "OPENAI_PROJECT_ID",
        AI_VENDOR_1_MODEL: "OPENAI_MODEL",
        AI_VENDOR_1_USAGE_TYPE: "OPENAI_USAGE_TYPE",
        AI_VENDOR_2_PROJECT_ID: "ANTHROPIC_PROJECT_ID",
        AI_VENDOR_2_MODEL: "ANTHROPIC_MODEL",
        AI_VENDOR_2_USAGE_TYPE: "ANTHROPIC_USAGE_TYPE",
      },
    },
    firstWords: {
      cloud1: "aws",
      cloud2: "azure",
      cloud3: "gcp",
      aiVendor1: "openai",
      aiVendor2: "anthropic",
      cs: "ecs",
    },
  },
};

/** Header names of all dialects: a server accepts each of them. */
export const ACCOUNT_HEADERS: readonly string[] = Object.values(DIALECTS).map((d) => d.accountHeader);

/**
 * Translates a value of a schema, in the words of any dialect, to dialect `to`. Renames only members that the
 * schema declares, and values of marked enumerations: free maps, texts and values of another shape stay
 * unchanged. Returns at once where the dialects do not differ.
 */
export function translate(schema: ZodSchema, value: unknown, to: DialectName): unknown {
  return isTranslated(schema) ? walk(schema, value, to) : value;
}

/** Returns a dialect's name of a member; `name` is the contract's. */
export function toDialectName(name: string, { firstWords }: Pick<Dialect, "firstWords">): string {
  for (const [first, other] of Object.entries(firstWords))
    if (name.startsWith(first) && !/^[a-z\d]/.test(name.slice(first.length)))
      return other + name.slice(first.length);
  return name;
}

/** Returns a dialect's names along a field's path. */
export const translateField = (field: string, dialect: Pick<Dialect, "firstWords">): string =>
  field
    .split(".")
    .map((name) => toDialectName(name, dialect))
    .join(".");

/** Returns a member's names in all dialects, the contract's first. */
export const listMemberNames = (name: string): readonly string[] => [
  ...new Set([name, ...Object.values(DIALECTS).map((dialect) => toDialectName(name, dialect))]),
];

/** Returns a dialect's word for a value of a vocabulary in any dialect. */
export const translateWord = (vocabulary: Vocabulary, value: string, to: DialectName): string =>
  WORDS[to][vocabulary].get(value) ?? value;

type WireNames = Readonly<Record<Vocabulary, ReadonlyMap<string, string>>>;

/** A dialect's own words by the word of any dialect. */
function buildWireNames(to: Dialect): WireNames {
  const table = (vocabulary: Vocabulary): ReadonlyMap<string, string> =>
    new Map(
      Object.values(DIALECTS)
        .flatMap(({ values }) => Object.entries(values[vocabulary]))
        .flatMap(([neutral, live]) => {
          const own = to.values[vocabulary][neutral] ?? neutral;
          return [neutral, live].map((any) => [any, own] as const);
        }),
    );
  return { cloud: table("cloud"), provisioner: table("provisioner"), anomalyField: table("anomalyField") };
}

const WORDS: Readonly<Record<DialectName, WireNames>> = {
  neutral: buildWireNames(DIALECTS.neutral),
  live: buildWireNames(DIALECTS.live),
};

function walk(schema: ZodSchema, value: unknown, to: DialectName): unknown {
  if (typeof value === "string") {
    const vocabulary = findInnerVocabulary(schema);
    return vocabulary === undefined ? value : translateWord(vocabulary, value, to);
  }
  const parts = getSchemaParts(schema);
  if (Array.isArray(value)) {
    const { element } = parts;
    return element === undefined
      ? translateInner(parts, value, to)
      : value.map((one) => walk(element, one, to));
  }
  if (typeof value !== "object" || value === null) return value;
  if (parts.shape !== undefined) return renameMembers(parts, value, to);
  const { valueType } = parts;
  if (valueType === undefined) return translateInner(parts, value, to);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(valueType, one, to)]));
}

const translateInner = ({ inner }: SchemaParts, value: object, to: DialectName): unknown =>
  inner.filter(isTranslated).reduce<unknown>((found, schema) => walk(schema, found, to), value);

function renameMembers(parts: SchemaParts, value: object, to: DialectName): unknown {
  const declared = listMembers(parts);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const member = declared.get(key);
      if (member === undefined) return [key, one];
      const name = member.names[to];
      const inner = member.differs ? walk(member.schema, one, to) : one;
      // A member under both names keeps both; the reader handles the unknown one.
      return [name !== key && Object.hasOwn(value, name) ? key : name, inner];
    }),
  );
}

function findInnerVocabulary(schema: ZodSchema): Vocabulary | undefined {
  const own = findVocabulary(schema);
  if (own !== undefined) return own;
  for (const inner of getSchemaParts(schema).inner) {
    const found = findInnerVocabulary(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Member {
  readonly names: Readonly<Record<DialectName, string>>;
  readonly schema: ZodSchema;
  readonly differs: boolean;
}
type Members = ReadonlyMap<string, Member>;
const MEMBERS = new WeakMap<ZodSchema, Members>();

function listMembers({ schema, shape = {} }: SchemaParts): Members {
  const known = MEMBERS.get(schema);
  if (known !== undefined) return known;
  const made: Members = new Map(
    Object.entries(shape).flatMap(([name, of]) => {
      const names = { neutral: name, live: toDialectName(name, DIALECTS.live) };
      const member: Member = { names, schema: of, differs: isTranslated(of) };
      return Object.values(names).map((wireName) => [wireName, member] as const);
    }),
  );
  MEMBERS.set(schema, made);
  return made;
}

const isTranslated = createSchemaTest(
  ({ schema, shape = {}, element, valueType, inner }, test) =>
    findVocabulary(schema) !== undefined ||
    Object.keys(shape).some((name) => listMemberNames(name).length > 1) ||
    [...Object.values(shape), element, valueType, ...inner].some((one) => one !== undefined && test(one)),
);
