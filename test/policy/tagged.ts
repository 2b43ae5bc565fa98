import { decimal } from "../../src/kernel/money.ts";
import type { ResourceTags, StatedTags } from "../../src/kernel/resource-tags.ts";
import type { ListedResource, StageFacts } from "../../src/report/model/facts.ts";
import { cost, group, known, listed, resource, row, stage } from "../report/facts.ts";

const side = (tags: ResourceTags["values"], complete = true): ResourceTags => ({ values: tags, complete });

/** `payments`: the team, `-`: no tag, `?`: not read, `...`: known after the apply, `a > b`: another team afterwards, `none`: no tags at all. */
function team(text: string): StatedTags | undefined {
  const [before = "", after] = text.split(" > ");
  const read = (one: string) => {
    if (one === "-") return side({});
    return one === "..." ? side({}, false) : side({ team: one });
  };
  if (text === "?") return undefined;
  if (text === "none") return "unsupported";
  return after === undefined ? { after: read(before) } : { before: read(before), after: read(after) };
}

interface TaggedParts {
  readonly total: string;
  /** What changes, by address: `20 > 30 payments`. */
  readonly changed: Readonly<Record<string, string>>;
  /** What stays: `60 payments`, `60 search > payments`; null: its source does not list it. */
  readonly stays?: readonly string[] | null;
  readonly but?: Partial<StageFacts>;
  readonly usage?: readonly string[];
}

/** A stage whose resources have these costs and teams. */
export function tagged({ total, changed, stays = [], but = {}, usage = [] }: TaggedParts): StageFacts {
  const parts = Object.entries(changed).map(([address, text]) => {
    const [, costs = "", tags = ""] = /^(\S+ > \S+) (.+)$/.exec(text) ?? [];
    return { address, costs, tags: team(tags) };
  });
  const all: readonly ListedResource[] = [
    ...parts.map(({ address, tags }) => ({ address, type: "aws_x", ...(tags && { tags }) })),
    ...(stays ?? []).map((text, index) => {
      const [amount = "", ...own] = text.split(" ");
      const tags = team(own.join(" "));
      return { address: `aws_x.s${index}`, type: "aws_x", cost: decimal(amount), ...(tags && { tags }) };
    }),
  ];
  const groups = [
    group(
      "aws_x",
      total,
      parts.map(({ address, costs }) => resource(address, costs)),
    ),
  ];
  const used = usage.map((address) => ({ address, type: "aws_x", change: "changed" }) as const);
  return stage({
    workspace: "prod",
    cost: known(
      cost(total, {
        groups,
        ...(stays && { listed: all }),
        usage: { resources: used, unnamed: 0, unnamedUnchanged: 0 },
      }),
    ),
    rows: listed(
      ...parts.map(({ address, costs, tags }) => ({
        ...row(address, costs.startsWith("0 >") ? "added" : costs.endsWith("> 0") ? "deleted" : "changed"),
        type: "aws_x",
        ...(tags && { tags }),
      })),
      ...usage.filter((address) => changed[address] === undefined).map((address) => row(address, "changed")),
    ),
    ...but,
  });
}
