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
import { createProblem, type Problem } from "../area/problem.ts";
import { isNestedDeeperThan, MAX_NESTING, TOO_MANY_PARTS, TOO_NESTED } from "../http/body/nesting.ts";
import { type AnyElement, parseDetail } from "./element-detail.ts";
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
const MAX_PARTS = 600_000;
/** Elements handled between two turns of the event loop. */
const AT_ONCE = 250;

/**
 * Parses a page's body: a JSON array whose elements match the category. With `change`, every element must
 * have that change type. The problem names the first invalid element.
 */
export async function parsePage(
  category: Category,
  change: ChangeType | undefined,
  body: Uint8Array,
): Promise<readonly PageElement[] | Problem<"bad_request" | "payload_too_large">> {
  const exceeded = checkBounds(body);
  if (exceeded !== null) return exceeded;
  await setImmediate();
  const found = parseJsonArray(body);
  if (!Array.isArray(found)) return found;
  const elements: PageElement[] = [];
  for (const [index, raw] of found.entries()) {
    if (index % AT_ONCE === 0) await setImmediate();
    const element = readElement(category, change, raw);
    if (typeof element === "string") return createElementProblem(index, element);
    elements.push(element);
  }
  return elements;
}

/** What is wrong with it, when it is not of the category's kind. */
function readElement(category: Category, change: ChangeType | undefined, raw: unknown): PageElement | string {
  if (isNestedDeeperThan(raw, MAX_NESTING)) return TOO_NESTED;
  const parsed = parseBounded<AnyElement>(PAGE_ELEMENTS[category], raw);
  if (!parsed.success) return explain("", parsed.error).join("; ");
  const element: AnyElement = parsed.data;
  if (change !== undefined && element.change !== change)
    return `a page of ${change} elements holds another change type`;
  return pageElement(category, element);
}

function checkBounds(body: Uint8Array): Problem<"bad_request"> | null {
  // The page's own list is a level beside those of an element.
  const bounds = new JsonBounds({ depth: MAX_NESTING + 1, parts: MAX_PARTS });
  const exceeded = bounds.read(body);
  if (exceeded === "parts") return createProblem("bad_request", `the page ${TOO_MANY_PARTS}`);
  if (exceeded === "depth") return createProblem("bad_request", `an element of the page ${TOO_NESTED}`);
  return null;
}

function parseJsonArray(body: Uint8Array): unknown[] | Problem<"bad_request"> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return createProblem("bad_request", "the page is not JSON in UTF-8");
  }
  if (!Array.isArray(value)) return createProblem("bad_request", "the page is not a JSON array");
  if (value.length > MAX_ELEMENTS)
    return createProblem("bad_request", `the page has ${value.length} elements, ${MAX_ELEMENTS} are allowed`);
  return value;
}

const createElementProblem = (index: number, what: string): Problem<"bad_request"> =>
  createProblem("bad_request", `element ${index} of the page: ${what.slice(0, 500)}`);

function pageElement(category: Category, element: AnyElement): PageElement {
  const { provider = "", type = "", module = "", change = null } = element;
  const { detail, value } = parseDetail(element);
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
      ...(category === "outputs" ? toOutputColumns(element, value) : toResourceColumns(category, element)),
    },
    detail: JSON.stringify(detail),
  };
}

const toOutputColumns = ({ sensitive = false }: AnyElement, value: unknown) => ({
  mode: null,
  resource_id: null,
  sensitive,
  value: value === undefined ? null : JSON.stringify(value),
  previous_address: null,
});

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
