import type { z } from "zod";
import type { AttributeChange, ChangeType } from "../../platform/contract/shapes/change-snapshot.ts";
import { AttributeNames } from "./attribute-names.ts";

type ElementChange = z.output<typeof AttributeChange>;

/**
 * The members of all three kinds of elements; the element's own schema has checked which of them are present.
 */
export interface AnyElement {
  readonly name: string;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
  readonly module?: string | undefined;
  readonly mode?: string | undefined;
  readonly resource_address?: string | undefined;
  readonly previous_address?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly change?: ChangeType | undefined;
  readonly change_count?: number | undefined;
  readonly changes?: Readonly<Record<string, ElementChange>> | null | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | null | undefined;
  readonly sensitive_attributes?: readonly string[] | null | undefined;
  readonly sensitive?: boolean | undefined;
  readonly value?: unknown;
  readonly old?: unknown;
  readonly new?: unknown;
}

export interface Detail {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, ElementChange>>;
  readonly sensitive_attributes: readonly string[];
}

/** What stands where a sensitive value stood. */
const MASK = "(sensitive value)";

/**
 * Returns the attribute data of an element, and an output's value. Uploaders mask sensitive values; values
 * that are marked as sensitive but not masked are withheld here, before anything is stored.
 */
export function parseDetail(element: AnyElement): { detail: Detail; value: unknown } {
  const detail = withhold({
    attributes: element.attributes ?? {},
    changes: { ...toOutputChange(element), ...element.changes },
    sensitive_attributes: element.sensitive_attributes ?? [],
  });
  return { detail, value: maskValue(element.sensitive === true, element.value) };
}

/**
 * Returns attribute data without the values that it marks as sensitive: by `sensitive_attributes`, or by the
 * `sensitive` of a change. A mark applies to the attribute, to its parts, and to the attributes that contain
 * it (`settings.login[0]` to `settings`).
 */
export function withhold({ attributes, changes, sensitive_attributes }: Detail): Detail {
  const ofChanges = Object.keys(changes).filter((name) => changes[name]?.sensitive === true);
  if (sensitive_attributes.length + ofChanges.length === 0)
    return { attributes, changes, sensitive_attributes };
  const marks = new AttributeNames([...sensitive_attributes, ...ofChanges]);
  const names = new Set([...Object.keys(attributes), ...Object.keys(changes)]);
  const sensitive = new Set([...names].filter((name) => marks.meet(name)));
  const named = new Set([
    ...sensitive_attributes,
    ...Object.keys(attributes).filter((name) => sensitive.has(name)),
  ]);
  const known = new AttributeNames(named);
  return {
    attributes: mapValues(attributes, (name, value) => maskValue(sensitive.has(name), value)),
    changes: mapValues(changes, (name, change) => maskChange(sensitive.has(name), change)),
    sensitive_attributes: [...named, ...ofChanges.filter((name) => !known.cover(name))],
  };
}

/** An output states its old and new value beside its name; as a change they belong to its `value`. */
function toOutputChange(element: AnyElement): Record<string, ElementChange> {
  if (element.old === undefined && element.new === undefined) return {};
  const { change, old, new: next, sensitive = false } = element;
  return { value: { change, drift: false, old, new: next, sensitive } };
}

const maskChange = (hide: boolean, change: ElementChange): ElementChange =>
  hide ? { ...change, old: maskValue(true, change.old), new: maskValue(true, change.new) } : change;

/** Null and absent say nothing and stay as they are. */
const maskValue = (hide: boolean, value: unknown): unknown =>
  hide && value !== null && value !== undefined ? MASK : value;

function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (key: string, value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(key, value)]));
}
