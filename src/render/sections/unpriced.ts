import { name } from "../escape.ts";
import { countText } from "../format/count.ts";
import type { Section, Subject } from "./section.ts";

const TYPES = 8;

/** Resources that the figures leave out because nobody knows their price. */
export function unpricedSection({ evaluation: { report } }: Subject): Section {
  const { unpriced } = report;
  const types = Object.entries(unpriced?.types ?? {}).sort(([, a], [, b]) => b - a);
  return {
    template: "unpriced",
    rows: Math.min(TYPES, types.length),
    keep: false,
    view: (rows) => {
      if (unpriced === null || unpriced.count === 0) return null;
      const shown = types.slice(0, Math.max(0, rows));
      return {
        count: unpriced.count,
        types: shown.map(([type, count]) => ({ type: name(type), count: countText(count) })),
        more: types.length - shown.length,
        incomplete: !report.unpricedIsComplete,
      };
    },
  };
}
