import { readTag, type StatedTags } from "../../kernel/resource-tags.ts";
import type { AttributeDoubt, AttributeTree } from "../../report/model/resource-attributes.ts";

/** A condition reads a value that is unknown. Readers of the finding see the message, which holds no value. */
class UnknownValueError extends Error {
  override readonly name = "UnknownValue";
  readonly code = "condition_value_unknown";
}

/** Not text, so that no expression names it. */
const PROBLEM = Symbol("problem");

/** Stands where a value is unknown: it is there for `has()`, and whatever else a condition does with it throws `UnknownValueError`. */
export class UnknownValue {
  readonly [PROBLEM]: string;
  constructor(problem: string) {
    this[PROBLEM] = problem;
  }
}

// The language reads members of unknown values when `has()` looks into them.
Object.setPrototypeOf(
  UnknownValue.prototype,
  new Proxy(Object.create(null), {
    get: (_target, key, receiver: UnknownValue) =>
      typeof key === "string" ? throwUnknown(receiver[PROBLEM]) : undefined,
  }),
);

function throwUnknown(problem: string): never {
  throw new UnknownValueError(problem);
}

/** Throws `UnknownValueError` for an unknown value. */
export function requireKnown(value: unknown): void {
  if (value instanceof UnknownValue) throwUnknown(value[PROBLEM]);
}

/** A map of which only some keys are known: whatever depends on another key throws `UnknownValueError`. */
const createPartialMap = (known: object, problem: string): object =>
  new Proxy(known, {
    getOwnPropertyDescriptor: (target, key) =>
      Object.hasOwn(target, key) ? Object.getOwnPropertyDescriptor(target, key) : throwUnknown(problem),
    ownKeys: () => throwUnknown(problem),
  });

/** The value of attributes for conditions, by the attributes: rules with other scopes have the same ones. */
const converted = new WeakMap<object, object>();

/** Returns one side of a resource's attributes as a map. `name`: of the resource, for messages. */
export function createAttributeMap(
  side: AttributeTree | undefined,
  { name, member }: { readonly name: string; readonly member: "before" | "after" },
): object {
  if (typeof side !== "object" || side === null || !("members" in side)) {
    const because =
      typeof side === "object" && side !== null && "unknown" in side ? side.unknown : "not_read";
    return createPartialMap({}, describe(`${member} of ${name}`, because));
  }
  const map = converted.get(side) ?? convertMembers(side.members, { name, path: member });
  converted.set(side, map);
  return map;
}

/** Where a value is: the resource, and its path there. */
interface ValuePlace {
  readonly name: string;
  readonly path: string;
}

const convertMembers = (members: Readonly<Record<string, AttributeTree>>, place: ValuePlace): object =>
  Object.fromEntries(Object.entries(members).map(([key, one]) => [key, convert(one, descend(place, key))]));

const descend = ({ name, path }: ValuePlace, key: string | number): ValuePlace => ({
  name,
  path: `${path}.${key}`,
});

function convert(tree: AttributeTree, place: ValuePlace): unknown {
  if (typeof tree === "number") return Number.isSafeInteger(tree) ? BigInt(tree) : tree;
  if (typeof tree !== "object" || tree === null) return tree;
  if ("members" in tree) return convertMembers(tree.members, place);
  if ("unknown" in tree) return new UnknownValue(describe(`${place.path} of ${place.name}`, tree.unknown));
  return tree.map((one, index) => convert(one, descend(place, index)));
}

/** Returns the tags of a resource as a map: those before where it is deleted. */
export function createTagMap(
  tags: StatedTags | undefined,
  { name, type }: { readonly name: string; readonly type: string },
): object {
  if (tags === undefined) return createPartialMap({}, describe(`tags of ${name}`, "not_read"));
  if (tags === "unsupported") return {};
  const own = tags.after ?? tags.before ?? null;
  if (own === null) return {};
  const side = tags.after === null ? "before" : "after";
  const values = Object.keys(own.values).map((key) => {
    const reading = readTag(tags, { key, type, side });
    if (reading.state === "value") return [key, reading.value];
    const because = reading.state === "unknown" ? reading.because : "not_read";
    return [key, new UnknownValue(describe(`tags.${key} of ${name}`, because))];
  });
  const map = Object.fromEntries(values) as object; // entries make an object
  return own.complete ? map : createPartialMap(map, describe(`tags of ${name}`, "later"));
}

const WORDS: { readonly [doubt in AttributeDoubt]?: string } = {
  later: "known only after the apply",
  sensitive: "sensitive",
  too_large: "too large to be read",
  past_retention: "no longer kept by the platform",
  not_read: "not read",
  not_stated: "not stated",
  not_indexed: "not in the platform's index",
};

const describe = (what: string, because: AttributeDoubt): string =>
  `${what}: ${WORDS[because] ?? because.replaceAll("_", " ")}`;
