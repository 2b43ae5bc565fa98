import type { AttributeChange, AttributeValue } from "../../report/model/attribute-change.ts";
import type { ChangeKind, ResourceChange, UnknownReason } from "../../report/model/facts.ts";
import { formatCount } from "../format/count.ts";
import { type Cell, formatCellName } from "../markup/escape.ts";

/** An attribute value as it is shown: a kind that the template words, or the value itself. */
interface ValueView {
  readonly kind: AttributeValue["kind"];
  readonly text: Cell | null;
  readonly count: Cell | null;
  readonly isOne: boolean;
}

interface AttributeView {
  readonly attribute: Cell;
  /** Null: only the name is shown. */
  readonly before: ValueView | null;
  readonly after: ValueView | null;
}

export interface AttributesView {
  readonly attributes: readonly AttributeView[];
  readonly moreAttributes: number;
}

const MAX_ATTRIBUTES = 4;
const NO_ATTRIBUTES: AttributesView = { attributes: [], moreAttributes: 0 };

/**
 * The attribute changes of a resource; none for added and deleted resources, because all of their attributes
 * change. `values`: whether readers may see values.
 */
export function buildAttributesView(
  { change, changedAttributes: names, attributeChanges: changes }: AttributeSource,
  values: boolean,
): AttributesView {
  if (names === undefined || change === "added" || change === "deleted") return NO_ATTRIBUTES;
  if (!values || changes === undefined) return limitAttributes(names.map((name) => buildNameView(name)));
  const changedNames = new Set(changes.map(({ name }) => name.split(".")[0]));
  const others = names.filter((name) => !changedNames.has(name.split(".")[0]));
  return limitAttributes([...changes.map(buildChangeView), ...others.map(buildNameView)]);
}

type AttributeSource = Pick<ResourceChange, "change" | "changedAttributes" | "attributeChanges"> & {
  readonly change: ChangeKind | null;
};

const limitAttributes = (all: readonly AttributeView[]): AttributesView => ({
  attributes: all.slice(0, MAX_ATTRIBUTES),
  moreAttributes: Math.max(0, all.length - MAX_ATTRIBUTES),
});

const buildNameView = (name: string): AttributeView => ({
  attribute: formatCellName(name),
  before: null,
  after: null,
});

const buildChangeView = ({ name, before, after }: AttributeChange): AttributeView => ({
  attribute: formatCellName(name),
  before: buildValueView(before),
  after: buildValueView(after),
});

const buildValueView = (value: AttributeValue): ValueView => ({
  kind: value.kind,
  text: "text" in value ? formatCellName(value.text) : null,
  count: "count" in value ? formatCount(value.count) : null,
  isOne: "count" in value && value.count === 1,
});

/** Counts the resources whose requested attribute names are unknown, by reason. */
export function countUnknownAttributes(
  rows: readonly ResourceChange[],
): readonly { readonly count: number; readonly reason: UnknownReason }[] {
  const byReason = Map.groupBy(rows, ({ attributesBecause }) => attributesBecause);
  return [...byReason].flatMap(([reason, own]) =>
    reason === undefined ? [] : [{ count: own.length, reason }],
  );
}
