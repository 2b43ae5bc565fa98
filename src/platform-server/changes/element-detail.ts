import type { z } from "zod";
import type { AttributeChange, ChangeType } from "../../platform/contract/shapes/change-snapshot.ts";

type Change = z.output<typeof AttributeChange>;

/** What any of the three kinds of elements may hold; which of it there is, its own schema has checked. */
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
  readonly changes?: Readonly<Record<string, Change>> | null | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | null | undefined;
  readonly sensitive_attributes?: readonly string[] | null | undefined;
  readonly sensitive?: boolean | undefined;
  readonly value?: unknown;
  readonly old?: unknown;
  readonly new?: unknown;
}

export interface Detail {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, Change>>;
  readonly sensitive_attributes: readonly string[];
}

/** What stands where a sensitive value stood. */
const MASK = "(sensitive value)";

/**
 * Attribute data as uploaded, and an output's value. An uploader masks sensitive values itself; what it marks as sensitive and
 * did not mask is masked here, before anything is stored.
 */
export function detailOf(element: AnyElement): { detail: Detail; value: unknown } {
  const hidden = new Set(element.sensitive_attributes ?? []);
  const attributes = mapValues(element.attributes ?? {}, (key, value) => masked(hidden.has(key), value));
  const changes = mapValues({ ...outputChange(element), ...element.changes }, (key, change) =>
    maskedChange(hidden.has(key) || change.sensitive === true, change),
  );
  return {
    detail: { attributes, changes, sensitive_attributes: [...hidden] },
    value: masked(element.sensitive === true, element.value),
  };
}

/** An output states its old and new value beside its name; as a change they belong to its `value`. */
function outputChange(element: AnyElement): Record<string, Change> {
  if (element.old === undefined && element.new === undefined) return {};
  const { change, old, new: next, sensitive = false } = element;
  return { value: { change, drift: false, old, new: next, sensitive } };
}

const maskedChange = (hide: boolean, change: Change): Change =>
  hide ? { ...change, old: masked(true, change.old), new: masked(true, change.new) } : change;

/** Null and absent say nothing and stay as they are. */
const masked = (hide: boolean, value: unknown): unknown =>
  hide && value !== null && value !== undefined ? MASK : value;

function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (key: string, value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(key, value)]));
}
