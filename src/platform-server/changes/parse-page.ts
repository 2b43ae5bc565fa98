import { setImmediate } from "node:timers/promises";
import { JsonBounds } from "../../kernel/json-bounds.ts";
import { parseJsonBytes } from "../../kernel/parse-json.ts";
import { shorten } from "../../kernel/shorten.ts";
import { copyUnstorable, toStorableText } from "../../kernel/storable.ts";
import { type Category, type ChangeType, PAGE_ELEMENTS } from "../../platform/contract/resource-changes.ts";
import { explain, parseBounded } from "../../platform/contract/wire/request-checks.ts";
import { refuse } from "../area/problem.ts";
import { MAX_NESTING, TOO_MANY_VALUES, TOO_NESTED } from "../area/value-limits.ts";
import { type AnyElement, getOutputValue, toDetail, withhold } from "./element-detail.ts";
import type { NewRow, StoredRow } from "./rows.ts";

/** Largest number of elements of a page, so that storing one does not take too long; uploaders can split pages. */
const MAX_ELEMENTS = 20_000;
/** Lists, objects and members of a page together; a page of the largest size has about a fifth. */
const MAX_VALUES = 600_000;
/** Elements that are read between two turns of the event loop. */
const AT_ONCE = 500;

/**
 * Parses a page's body: a JSON array whose elements match the category. With `change`, every element must
 * have that change type. The refusal names the first invalid element. @throws Refusal
 */
export async function parsePage(
  category: Category,
  change: ChangeType | undefined,
  body: Uint8Array,
): Promise<readonly NewRow[]> {
  // The page's own list is a level beside those of an element.
  const exceeded = new JsonBounds({ depth: MAX_NESTING + 1, values: MAX_VALUES }).read(body);
  if (exceeded === "values") refuse("bad_request", `the page ${TOO_MANY_VALUES}`);
  if (exceeded === "depth") refuse("bad_request", `an element of the page ${TOO_NESTED}`);
  const elements = parseJsonBytes(body);
  if (elements === undefined) refuse("bad_request", "the page is not JSON in UTF-8");
  if (!Array.isArray(elements)) refuse("bad_request", "the page is not a JSON array");
  if (elements.length > MAX_ELEMENTS)
    refuse("bad_request", `the page has more than ${MAX_ELEMENTS} elements`);
  const rows: NewRow[] = [];
  for (const [index, raw] of elements.entries()) {
    if (index % AT_ONCE === 0) await setImmediate();
    const row = readElement(category, change, raw);
    if (typeof row === "string") refuse("bad_request", `element ${index} of the page: ${shorten(row, 500)}`);
    rows.push(row);
  }
  return rows;
}

/** What is wrong with it, when it is not of the category's kind. */
function readElement(category: Category, change: ChangeType | undefined, raw: unknown): NewRow | string {
  const parsed = parseBounded<AnyElement>(PAGE_ELEMENTS[category], raw);
  if (!parsed.success) return explain("", parsed.error).join("; ");
  const element: AnyElement = parsed.data;
  if (change !== undefined && element.change !== change)
    return `a page of ${change} elements holds another change type`;
  const detail = withhold(toDetail(element));
  const detail_bytes = Buffer.byteLength(JSON.stringify(detail));
  return { row: toRow(category, element, detail_bytes), detail };
}

function toRow(category: Category, element: AnyElement, detail_bytes: number): StoredRow {
  const changes =
    element.change === undefined
      ? {}
      : { change: element.change, change_count: element.change_count ?? countChangedAttributes(element) };
  const common = {
    category,
    name: toStorableText(element.name),
    resource_address: toStorableText(element.resource_address ?? formatAddress(category, element)),
    detail_bytes,
    drift: category === "drift_changes",
    ...changes,
  };
  if (category === "outputs")
    return { ...common, sensitive: element.sensitive ?? false, value: getOutputValue(element) };
  const {
    provider = "",
    type = "",
    module = "",
    previous_address,
    action_reason,
    tags,
    resource_id,
  } = element;
  return {
    ...common,
    provider: toStorableText(provider),
    type: toStorableText(type),
    module: toStorableText(module),
    mode: toStorableText(element.mode ?? (category === "data_sources" ? "data" : "managed")),
    ...(previous_address === undefined ? {} : { previous_address: toStorableText(previous_address) }),
    ...(action_reason === undefined ? {} : { action_reason: toStorableText(action_reason) }),
    ...(tags === undefined ? {} : { tags: typeof tags === "string" ? tags : copyUnstorable(tags) }),
    ...(resource_id === undefined ? {} : { resource_id: toStorableText(resource_id) }),
  };
}

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
