import { buildSortedTable } from "../../../page/sorted-table.ts";
import type { Column } from "../../../page/table.ts";
import { buildAmountCell, buildChangeCell } from "../subject/amounts.ts";
import { linkToView, type PullSubject, type PullView } from "../subject/pull-subject.ts";
import { listModuleLines, type ModuleLine } from "./module-lines.ts";

/** Levels that are drawn; deeper modules are drawn at the last one. */
const MAX_DEPTH = 6;

/** The module tree with the cost of each module. */
export function buildModulesView(subject: PullSubject): PullView {
  const { evaluation, address, texts } = subject;
  const { pull, report } = evaluation;
  const text = address.query["q"] ?? "";
  const wanted = text.toLowerCase();
  const lines = pull.figures ? listModuleLines(report.modules) : [];
  const rows = lines.filter(({ path }) => wanted === "" || path?.toLowerCase().includes(wanted) === true);
  const table = buildSortedTable(
    {
      prefix: "",
      caption: "Modules",
      columns: listColumns(subject),
      rows,
      empty: lines.length === 0 ? "No cost of modules is known." : "No module matches this filter.",
      currencyOf: ({ currency }) => currency,
    },
    address,
  );
  const view = {
    ...{ table: table.view, text, count: rows.length, all: lines.length, figures: pull.figures },
    sort: address.query["sort"] ?? null,
    because: pull.figures
      ? report.modulesBecause.map((reason) => ({ text: texts.describeReason(reason) }))
      : [],
  };
  return { template: "pull/modules", view, tables: [table] };
}

function listColumns({ money, address }: PullSubject): readonly Column<ModuleLine>[] {
  const isTree = address.query["sort"] === undefined && address.query["q"] === undefined;
  const amount = (key: "before" | "after" | "change" | "own", label: string): Column<ModuleLine> => ({
    key,
    label,
    numeric: true,
    sortable: true,
    cell: (line) => {
      if (key === "own" && line.own === null) return { text: "–", tone: "muted" };
      const build = key === "before" || key === "after" ? buildAmountCell : buildChangeCell;
      return build(line[key], money(line.currency));
    },
    value: (line) => line[key],
  });
  return [
    {
      key: "module",
      label: "Module",
      sortable: true,
      cell: ({ path, name, depth }) =>
        path === null
          ? { text: "not tied to a module", tone: "muted" }
          : {
              text: isTree ? name : path,
              code: true,
              href: linkToView(address, "resources", { module: path }),
              depth: isTree ? Math.min(MAX_DEPTH, depth) : 0,
            },
      value: ({ path }) => path,
    },
    amount("change", "Change"),
    amount("before", "Before"),
    amount("after", "After"),
    amount("own", "Without inner modules"),
    {
      key: "currency",
      label: "Currency",
      isExportOnly: true,
      cell: () => ({ text: "" }),
      value: ({ currency }) => currency,
    },
  ];
}
