import type { AttributeChange, AttributeValue } from "../../report/model/attribute-change.ts";
import type { ChangeKind, ResourceChange, UnknownReason } from "../../report/model/facts.ts";
import { countText } from "../format/count.ts";
import { type Cell, cellName } from "../markup/escape.ts";

/** An attribute value as it is shown: a kind that the template words, or the value itself. */
interface ValueView {
  readonly kind: AttributeValue["kind"];
  readonly text: Cell | null;
  readonly count: Cell | null;
  readonly one: boolean;
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

const ATTRIBUTES = 4;
const NONE: AttributesView = { attributes: [], moreAttributes: 0 };

/**
 * The attribute changes of a resource; none for added and deleted resources, because all of their attributes
 * change. `values`: whether readers may see values.
 */
export function attributesView(
  { change, changedAttributes: names, attributeChanges: changes }: AttributeSource,
  values: boolean,
): AttributesView {
  if (names === undefined || change === "added" || change === "deleted") return NONE;
  if (!values || changes === undefined) return cut(names.map((name) => nameView(name)));
  const told = new Set(changes.map(({ name }) => name.split(".")[0]));
  const others = names.filter((name) => !told.has(name.split(".")[0]));
  return cut([...changes.map(changeView), ...others.map(nameView)]);
}

type AttributeSource = Pick<ResourceChange, "change" | "changedAttributes" | "attributeChanges"> & {
  readonly change: ChangeKind | null;
};

const cut = (all: readonly AttributeView[]): AttributesView => ({
  attributes: all.slice(0, ATTRIBUTES),
  moreAttributes: Math.max(0, all.length - ATTRIBUTES),
});

const nameView = (name: string): AttributeView => ({ attribute: cellName(name), before: null, after: null });

const changeView = ({ name, before, after }: AttributeChange): AttributeView => ({
  attribute: cellName(name),
  before: valueView(before),
  after: valueView(after),
});

const valueView = (value: AttributeValue): ValueView => ({
  kind: value.kind,
  text: "text" in value ? cellName(value.text) : null,
  count: "count" in value ? countText(value.count) : null,
  one: "count" in value && value.count === 1,
});

/** Counts the resources whose requested attribute names are unknown, by reason. */
export function unknownAttributes(
  rows: readonly ResourceChange[],
): readonly { readonly count: number; readonly reason: UnknownReason }[] {
  const byReason = Map.groupBy(rows, ({ attributesBecause }) => attributesBecause);
  return [...byReason].flatMap(([reason, own]) =>
    reason === undefined ? [] : [{ count: own.length, reason }],
  );
}
