import { setImmediate } from "node:timers/promises";
import { JsonBounds } from "../../kernel/json-bounds.ts";
import { toStorableText } from "../../kernel/storable.ts";
import {
  type Category,
  CHANGE_TYPES,
  type ChangeType,
  PAGE_ELEMENTS,
} from "../../platform/contract/shapes/change-snapshot.ts";
import { parseBounded } from "../../platform/contract/wire/bounded-parse.ts";
import { explain } from "../../platform/contract/wire/request-checks.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { isNestedDeeperThan, MAX_NESTING, TOO_MANY_VALUES, TOO_NESTED } from "../http/body/nesting.ts";
import {
  type AnyElement,
  type Detail,
  findSensitive,
  getOutputValue,
  toDetail,
  withhold,
} from "./element-detail.ts";
import type { FacetValues } from "./store/facets.ts";
import type { NewRow } from "./store/rows.ts";

/** One element of a page in its stored form. */
export interface PageElement {
  /** Position of its change type in the sort order; elements without a change type come last. */
  readonly priority: number;
  readonly facet: FacetValues;
  readonly row: Omit<NewRow, "run" | "position" | "facet" | "detail_bytes">;
  /** JSON text of its attribute data. */
  readonly detail: string;
}

/**
 * Largest number of elements of a page, so that storing one does not take too long; uploaders can split
 * pages.
 */
export const MAX_ELEMENTS = 20_000;
/** Lists, objects and members of a page together; a page of the largest size has about a fifth. */
const MAX_VALUES = 600_000;
/** The same of one element. It is validated at once, and nothing else runs in the meantime. */
const MAX_ELEMENT_VALUES = 60_000;
/** A part of a page ends with the element that reaches this size. A whole page would take 50 ms to parse. */
const PART_BYTES = 128 * 1024;

/**
 * Parses a page's body: a JSON array whose elements match the category. With `change`, every element must
 * have that change type. The problem names the first invalid element.
 */
export async function parsePage(
  category: Category,
  change: ChangeType | undefined,
  body: Uint8Array,
): Promise<readonly PageElement[] | Problem<"bad_request">> {
  const elements: PageElement[] = [];
  for (const found of parseElements(body)) {
    if (isProblem(found)) return found;
    if (elements.length === MAX_ELEMENTS)
      return createProblem("bad_request", `the page has more than ${MAX_ELEMENTS} elements`);
    await setImmediate();
    const element = await readElement(category, change, found.raw);
    if (typeof element === "string") return createElementProblem(elements.length, element);
    elements.push(element);
  }
  return elements;
}

/** Returns the elements of a page one after the other; parses as many at once as are in a part. */
function* parseElements(body: Uint8Array): Generator<{ readonly raw: unknown } | Problem<"bad_request">> {
  for (const part of cutIntoParts(body)) {
    const found = isProblem(part) ? part : parsePart(part);
    if (isProblem(found)) yield found;
    else yield* found.map((raw) => ({ raw }));
  }
}

/** What is wrong with it, when it is not of the category's kind. A large element takes a turn of the event loop per step. */
async function readElement(
  category: Category,
  change: ChangeType | undefined,
  raw: unknown,
): Promise<PageElement | string> {
  if (isNestedDeeperThan(raw, MAX_NESTING)) return TOO_NESTED;
  await setImmediate();
  const parsed = parseBounded<AnyElement>(PAGE_ELEMENTS[category], raw);
  if (!parsed.success) return explain("", parsed.error).join("; ");
  const element: AnyElement = parsed.data;
  if (change !== undefined && element.change !== change)
    return `a page of ${change} elements holds another change type`;
  await setImmediate();
  const sent = toDetail(element);
  const sensitive = findSensitive(sent);
  await setImmediate();
  const detail = withhold(sent, sensitive);
  await setImmediate();
  return pageElement(category, element, detail);
}

/** Consecutive elements of a page, as they were sent. */
interface PagePart {
  readonly bytes: Uint8Array;
  /** It begins with the page's opening bracket. */
  readonly isFirst: boolean;
  /** It ends with the page's closing bracket; the others end with a comma. */
  readonly isLast: boolean;
}

function* cutIntoParts(body: Uint8Array): Generator<PagePart | Problem<"bad_request">> {
  // The page's own list is a level beside those of an element.
  const bounds = new JsonBounds({ depth: MAX_NESTING + 1, values: MAX_VALUES });
  for (let from = 0, to = -1; to < body.length; from = to) {
    for (to = from; to < Math.min(from + PART_BYTES, body.length); ) {
      const { values } = bounds;
      to = bounds.readElement(body, to);
      if (bounds.values - values > MAX_ELEMENT_VALUES)
        yield createProblem("bad_request", `an element of the page ${TOO_MANY_VALUES}`);
    }
    if (bounds.exceeded === "values") yield createProblem("bad_request", `the page ${TOO_MANY_VALUES}`);
    if (bounds.exceeded === "depth")
      yield createProblem("bad_request", `an element of the page ${TOO_NESTED}`);
    yield { bytes: body.subarray(from, to), isFirst: from === 0, isLast: to === body.length };
  }
}

function parsePart({ bytes, isFirst, isLast }: PagePart): readonly unknown[] | Problem<"bad_request"> {
  const malformed = createProblem("bad_request", "the page is not JSON in UTF-8");
  const noArray = createProblem("bad_request", "the page is not a JSON array");
  let text = "";
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: !isFirst }).decode(bytes);
    value = JSON.parse(`${isFirst ? "" : "["}${isLast ? text : `${text.slice(0, -1)}]`}`);
  } catch {
    return isFirst && /^\s*\{/.test(text) && !isLast ? noArray : malformed;
  }
  if (!Array.isArray(value)) return noArray;
  // A comma without an element before or after it is not JSON.
  return value.length === 0 && !(isFirst && isLast) ? malformed : value;
}

const createElementProblem = (index: number, what: string): Problem<"bad_request"> =>
  createProblem("bad_request", `element ${index} of the page: ${what.slice(0, 500)}`);

function pageElement(category: Category, element: AnyElement, detail: Detail): PageElement {
  const { provider = "", type = "", module = "", change = null } = element;
  return {
    priority: change === null ? CHANGE_TYPES.length : CHANGE_TYPES.indexOf(change),
    facet: {
      category,
      change,
      provider: toStorableText(provider),
      type: toStorableText(type),
      module: toStorableText(module),
    },
    row: {
      name: toStorableText(element.name),
      resource_address: toStorableText(element.resource_address ?? formatAddress(category, element)),
      change_count: element.change_count ?? countChangedAttributes(element),
      ...(category === "outputs" ? toOutputColumns(element) : toResourceColumns(category, element)),
    },
    detail: JSON.stringify(detail),
  };
}

function toOutputColumns(element: AnyElement) {
  const value = getOutputValue(element);
  return {
    mode: null,
    resource_id: null,
    sensitive: element.sensitive ?? false,
    value: value === undefined ? null : JSON.stringify(value),
    previous_address: null,
  };
}

const toResourceColumns = (category: Category, { mode, resource_id, previous_address }: AnyElement) => ({
  mode: toStorableText(mode ?? (category === "data_sources" ? "data" : "managed")),
  resource_id: resource_id === undefined ? null : toStorableText(resource_id),
  sensitive: null,
  value: null,
  previous_address: previous_address === undefined ? null : toStorableText(previous_address),
});

/** The address of an element that does not state one: module path, type and name. */
function formatAddress(category: Category, { module = "", type, name, mode }: AnyElement): string {
  if (category === "outputs") return name;
  const data = mode === "data" || (mode === undefined && category === "data_sources") ? "data." : "";
  const inRoot = module === "" || module === "root";
  const path = inRoot ? "" : `${module.startsWith("module.") ? "" : "module."}${module}.`;
  return `${path}${data}${type ?? ""}.${name}`;
}

const countChangedAttributes = ({ changes }: AnyElement): number =>
  Object.values(changes ?? {}).filter(({ change }) => change !== "unchanged").length;
