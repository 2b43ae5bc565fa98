import { KNOWN_AFTER_APPLY, SENSITIVE } from "./redact-credentials.ts";
import type { ResourceTags, StatedTags, TagValue } from "./resource-tags.ts";
import { cutText } from "./shorten.ts";
import { toStorableText } from "./storable.ts";

/**
 * The attributes that hold the tags of a resource, by provider. A later one adds what the earlier ones lack; after a dot: a member of
 * the first block. A type that has none of them carries no tags.
 */
const BY_PROVIDER: ReadonlyMap<string, readonly string[]> = new Map([
  ["aws", ["tags_all", "tags"]],
  ["awscc", ["tags"]],
  ["azurerm", ["tags"]],
  ["azurestack", ["tags"]],
  ["azapi", ["tags"]],
  // `tags` of Google are network tags.
  ["google", ["effective_labels", "terraform_labels", "labels", "user_labels", "resource_labels"]],
  ["oci", ["freeform_tags", "defined_tags"]],
  ["alicloud", ["tags"]],
  ["tencentcloud", ["tags"]],
  ["huaweicloud", ["tags"]],
  ["yandex", ["labels"]],
  ["hcloud", ["labels"]],
  ["digitalocean", ["tags"]],
  ["ibm", ["tags"]],
]);

const BY_TYPE: ReadonlyMap<string, readonly string[]> = new Map([
  ["aws_autoscaling_group", ["tag", "tags"]],
  ["google_sql_database_instance", ["settings.user_labels"]],
  ["google_container_node_pool", ["node_config.resource_labels"]],
]);

const listForms = (type: string): readonly string[] =>
  BY_TYPE.get(type) ?? BY_PROVIDER.get(type.split("_", 1)[0] ?? "") ?? [];

/** Returns the names of the attributes that may hold the tags of a resource of this type; empty: it carries none. */
export const listTagAttributes = (type: string): readonly string[] =>
  listForms(type).map((form) => form.split(".", 1)[0] ?? form);

/** Attributes of a resource. `SENSITIVE` and `KNOWN_AFTER_APPLY` stand in place of what is masked or not known yet. */
type Attributes = Readonly<Record<string, unknown>>;

/** Reads the tags of a resource from its attributes; null: there is no resource on that side. Undefined: no attribute is stated. */
export function readTagAttributes(
  type: string,
  { before, after }: { readonly before: Attributes | null; readonly after: Attributes | null },
): StatedTags | undefined {
  const forms = listForms(type);
  const sides = [before, after].filter((side) => side !== null);
  const stated = forms.filter((form) => sides.some((side) => findMember(side, form) !== undefined));
  if (stated.length === 0) {
    const isStated = sides.some((side) => Object.keys(side).length > 0);
    return isStated || forms.length === 0 ? "unsupported" : undefined;
  }
  const read = (side: Attributes | null) =>
    side &&
    readTags(stated.filter((form) => !isComputedEmpty(side, form)).map((form) => findMember(side, form)));
  const [past, next] = [read(before), read(after)];
  return JSON.stringify(past) === JSON.stringify(next) ? { after: next } : { before: past, after: next };
}

/**
 * Whether `tags_all` is unknown only because it is empty: the AWS provider computes it from `tags` and its `default_tags`, and states
 * what it computed unless that is empty or `tags` is unknown.
 */
const isComputedEmpty = (side: Attributes, form: string): boolean =>
  form === "tags_all" && side[form] === KNOWN_AFTER_APPLY && isEmptyMap(side["tags"]);

const isEmptyMap = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** Undefined: there is no such member. */
function findMember(attributes: Attributes, form: string): unknown {
  const [name = form, member] = form.split(".");
  const own = attributes[name];
  const block: unknown = member !== undefined && Array.isArray(own) ? own[0] : own;
  if (member === undefined || block === null || typeof block !== "object") return block;
  return Reflect.get(block, member);
}

const MAX_TAGS = 100;
/** In characters. No cloud takes longer ones. */
const MAX_KEY = 256;
const MAX_VALUE = 1024;

/**
 * Reads tags from the values of attributes: maps, lists of `{ key, value }`, lists of texts such as "team:payments". Of one key, a
 * masked value goes before a known one, and that before one that is known later.
 */
export function readTags(attributes: readonly unknown[]): ResourceTags {
  const values = new Map<string, TagValue>();
  let complete = true;
  for (const [stated, value] of attributes.flatMap(listEntries)) {
    if (value === null || value === undefined || typeof value === "object") continue;
    const key = cutText(toStorableText(stated), MAX_KEY);
    if (typeof toTagValue(stated) !== "string" || (values.size >= MAX_TAGS && !values.has(key))) {
      complete = false;
      continue;
    }
    const own = toTagValue(String(value));
    const known = values.get(key);
    if (known === undefined || rank(own) > rank(known)) values.set(key, own);
  }
  return { values: Object.fromEntries(values), complete };
}

const rank = (value: TagValue): number => {
  if (typeof value === "string") return 1;
  return value.unknown === "sensitive" ? 2 : 0;
};

function toTagValue(text: string): TagValue {
  if (text.includes(SENSITIVE)) return { unknown: "sensitive" };
  return text === KNOWN_AFTER_APPLY ? { unknown: "later" } : cutText(toStorableText(text), MAX_VALUE);
}

/** Keys and values. What is unknown as a whole is an entry whose key is unknown. */
function listEntries(attribute: unknown): readonly (readonly [string, unknown])[] {
  if (typeof attribute === "string") {
    const [key = "", ...value] = attribute.split(":");
    return [[key, value.join(":")]];
  }
  if (typeof attribute !== "object" || attribute === null) return [];
  if (!Array.isArray(attribute)) return Object.entries(attribute);
  return attribute.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return listEntries(one);
    const { key, value, propagate_at_launch: isPropagated }: Attributes = { ...one };
    // What an autoscaling group does not hand on is at nothing that costs.
    return typeof key === "string" && isPropagated !== false ? [[key, value] as const] : [];
  });
}

export function maskTags(tags: StatedTags, mask: (text: string) => string): StatedTags {
  if (tags === "unsupported") return tags;
  const maskSide = (side: ResourceTags | null): ResourceTags | null => {
    if (side === null) return null;
    const texts = Object.entries(side.values).map(([key, value]) => {
      if (typeof value === "string") return [mask(key), mask(value)];
      return [mask(key), value.unknown === "later" ? KNOWN_AFTER_APPLY : SENSITIVE];
    });
    const masked = readTags([Object.fromEntries(texts)]);
    return { ...masked, complete: masked.complete && side.complete };
  };
  return {
    ...(tags.before !== undefined && { before: maskSide(tags.before) }),
    after: maskSide(tags.after),
  };
}
