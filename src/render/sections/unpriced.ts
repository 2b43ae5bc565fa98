import type { Report } from "../../report/model/report.ts";
import { isOpenAfter } from "../../report/usage/usage-counts.ts";
import { formatCount } from "../format/count.ts";
import { formatName } from "../markup/escape.ts";
import type { Section, Subject } from "./section.ts";

const MAX_NAMES = 8;

/** The section about costs that the figures omit: unpriced resources and unstated usage. */
export function buildUnpricedSection({ evaluation: { report } }: Subject): Section {
  const types = listTypes(report);
  const used = listUsageAddresses(report);
  const count = report.usage?.after ?? used.length;
  return {
    template: "unpriced",
    rows: Math.min(MAX_NAMES, Math.max(types.length, used.length)),
    isRequired: false,
    view: (rows) => {
      const unpriced = report.unpriced?.count ?? 0;
      if (unpriced === 0 && count === 0) return null;
      const visibleTypes = types.slice(0, Math.max(0, rows));
      const named = used.slice(0, Math.max(0, rows));
      return {
        count: unpriced,
        types: visibleTypes.map(([type, own]) => ({ type: formatName(type), count: formatCount(own) })),
        more: types.length - visibleTypes.length,
        incomplete: !report.unpricedIsComplete,
        used: count,
        introduced: report.usage?.introduced ?? 0,
        usedNames: named.map((address) => ({ resource: formatName(address) })),
        moreUsed: count - named.length,
      };
    },
  };
}

/** Addresses of usage-based resources; new and changed ones come first. */
function listUsageAddresses({ usageBased, resources }: Report): readonly string[] {
  const openUsage = usageBased?.filter(isOpenAfter);
  const used =
    openUsage ?? resources.filter((resource) => resource.usageBased).map((one) => ({ ...one, change: null }));
  const first = used.filter(({ change }) => change !== "unchanged");
  const others = used.filter(({ change }) => change === "unchanged");
  return [...new Set([...first, ...others].map(({ address }) => address))];
}

const listTypes = ({ unpriced }: Report): readonly (readonly [string, number])[] =>
  Object.entries(unpriced?.types ?? {}).sort(([, a], [, b]) => b - a);
