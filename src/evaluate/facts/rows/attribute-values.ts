import { isSecretName, listPairedSecrets, redactCredentials } from "../../../kernel/redact-credentials.ts";
import type { AttributeChange, AttributeValue, ChangeKind } from "../../../report/model/facts.ts";

/** The change of one attribute, in any shape that the source uses; not validated. */
export interface SourceChange {
  readonly old?: unknown;
  readonly new?: unknown;
  readonly sensitive?: boolean | undefined;
}

/** Changes whose attributes are shown; in a creation or deletion all attributes change. */
export const ATTRIBUTE_CHANGE_KINDS: readonly ChangeKind[] = ["replaced", "drifted", "changed"];

/** Most attribute changes per resource. */
const MAX_CHANGES = 8;
/** Most differences inside an attribute; with more, the attribute is shown as a whole. */
const MAX_INSIDE = 4;
const DEPTH = 4;
/** Longest text, in characters; a template may shorten it further. */
const MAX_TEXT = 120;
/** Longest text that is parsed as JSON, in characters. */
const MAX_JSON = 65_536;
/** Plan files use this text for a value that is known only after the apply. */
const KNOWN_AFTER_APPLY = "(known after apply)";

/**
 * Returns the changes inside the attributes of one resource, by path (`root_block_device.0.volume_size`).
 * Values that are marked as sensitive, have a name that suggests a secret or look like a credential are
 * redacted.
 */
export function buildAttributeChanges(
  changes: Readonly<Record<string, SourceChange>>,
  sensitive: ReadonlySet<string> = new Set(),
): readonly AttributeChange[] {
  return Object.entries(changes)
    .flatMap(([name, change]) => {
      if (change.sensitive === true || sensitive.has(name)) return [redactChange(name, change)];
      return findDifferences({ path: name, before: change.old, after: change.new }, DEPTH);
    })
    .slice(0, MAX_CHANGES);
}

interface ValuePair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the differences of two values; one difference for the whole values when their shapes differ or
 * there are too many.
 */
function findDifferences(pair: ValuePair, depth: number): readonly AttributeChange[] {
  if (isSecretName(pair.path)) return [redactChange(pair.path, { old: pair.before, new: pair.after })];
  const [before, after] = [getMembers(pair.before), getMembers(pair.after)];
  const isAlike =
    before !== null && after !== null && Array.isArray(pair.before) === Array.isArray(pair.after);
  if (!isAlike || depth === 0) return [toWholeChange(pair)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const secrets = [...listPairedSecrets(before), ...listPairedSecrets(after)];
  const inside = names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => {
      const path = `${pair.path}.${name}`;
      if (secrets.includes(name)) return [redactChange(path, { old: before[name], new: after[name] })];
      return findDifferences({ path, before: before[name], after: after[name] }, depth - 1);
    });
  return inside.length > MAX_INSIDE || inside.length === 0 ? [toWholeChange(pair)] : inside;
}

const toWholeChange = ({ path, before, after }: ValuePair): AttributeChange => ({
  name: path,
  before: describeValue(before),
  after: describeValue(after),
});

const redactChange = (name: string, change: SourceChange): AttributeChange => ({
  name,
  before: change.old == null ? { kind: "none" } : { kind: "sensitive" },
  after: change.new == null ? { kind: "none" } : { kind: "sensitive" },
});

function getMembers(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}

function describeValue(value: unknown): AttributeValue {
  if (value === null || value === undefined || value === "") return { kind: "none" };
  if (typeof value === "string") return toTextValue(value);
  if (typeof value !== "object") return { kind: "text", text: String(value) };
  return { kind: Array.isArray(value) ? "list" : "map", count: Object.keys(value).length };
}

function toTextValue(text: string): AttributeValue {
  if (text === KNOWN_AFTER_APPLY) return { kind: "later" };
  const document = parseDocument(text);
  if (document !== null) return { kind: "document", count: Object.keys(document).length };
  if (redactCredentials(text) !== text) return { kind: "sensitive" };
  return { kind: "text", text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text };
}

/** Parses a text that contains a JSON object or array, such as an access policy; null: it contains none. */
function parseDocument(text: string): object | null {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON) return null;
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" ? document : null;
  } catch {
    return null;
  }
}
