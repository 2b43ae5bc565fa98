import type { Report } from "../../report/report.ts";
import { name } from "../escape.ts";
import { countText } from "../format/count.ts";
import type { Section, Subject } from "./section.ts";

const NAMES = 8;

/** What the figures leave out: resources of which nobody knows the price, and what costs by use that nobody stated. */
export function unpricedSection({ evaluation: { report } }: Subject): Section {
  const types = typesOf(report);
  const used = [
    ...new Set(report.resources.filter(({ usageBased }) => usageBased).map(({ address }) => address)),
  ];
  return {
    template: "unpriced",
    rows: Math.min(NAMES, Math.max(types.length, used.length)),
    keep: false,
    view: (rows) => {
      const count = report.unpriced?.count ?? 0;
      if (count === 0 && used.length === 0) return null;
      const shown = types.slice(0, Math.max(0, rows));
      const named = used.slice(0, Math.max(0, rows));
      return {
        count,
        types: shown.map(([type, own]) => ({ type: name(type), count: countText(own) })),
        more: types.length - shown.length,
        incomplete: !report.unpricedIsComplete,
        used: used.length,
        usedNames: named.map((address) => ({ resource: name(address) })),
        moreUsed: used.length - named.length,
      };
    },
  };
}

const typesOf = ({ unpriced }: Report): readonly (readonly [string, number])[] =>
  Object.entries(unpriced?.types ?? {}).sort(([, a], [, b]) => b - a);
