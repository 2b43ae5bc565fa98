import { type Decimal, plus, ZERO } from "../../../kernel/money.ts";
import { byText, compareSizes } from "../../../report/model/order.ts";
import type { ModuleReport } from "../../../report/model/report.ts";
import { buildCostCell, buildCurrencyColumn, buildFigureColumn, NO_VALUE } from "../../page/columns.ts";
import { html, icon, renderBox } from "../../page/html.ts";
import { type Column, createTable } from "../../page/table.ts";
import {
  formatLeft,
  linkToView,
  NO_AMOUNTS,
  type PullView,
  type ReportSubject,
  renderSortField,
} from "./pull-subject.ts";

/** Levels that are drawn; deeper modules are drawn at the last one. */
const MAX_DEPTH = 6;

export async function renderModules(subject: ReportSubject): Promise<PullView> {
  const { evaluation, address, texts } = subject;
  const { pull, report } = evaluation;
  const text = address.query["q"] ?? "";
  const wanted = text.toLowerCase();
  const lines = pull.figures ? listModuleLines(report.modules) : [];
  const rows = lines.filter(({ path }) => wanted === "" || path?.toLowerCase().includes(wanted) === true);
  const table = createTable({
    name: "",
    caption: "Modules",
    columns: listColumns(subject),
    rows,
    empty: lines.length === 0 ? "No cost of modules is known." : "No module matches this filter.",
    currencyOf: ({ currency }) => currency,
  });
  const because = report.modulesBecause.map((reason) => texts.describeReason(reason)).join("; ");
  const body = pull.figures
    ? html`<form class="filters" method="get">
<input type="hidden" name="view" value="modules">
${renderSortField(address)}
<label>Module contains<input type="search" name="q" value="${text}"></label>
<button>${icon("filter")}Filter</button>
</form>
${renderBox(
  "repo",
  "Modules",
  [await table.render(address), because && html`<p class="below">Not wholly known: ${because}.</p>`],
  { count: formatLeft(rows.length, lines.length) },
)}
<p class="muted">Each module includes the modules in it.</p>`
    : html`<p class="blank">${icon("lock")} ${NO_AMOUNTS}</p>`;
  return { body, tables: [table] };
}

function listColumns({ address }: ReportSubject): readonly Column<ModuleLine>[] {
  const isTree = address.query["sort"] === undefined && address.query["q"] === undefined;
  const figure = (key: "before" | "after" | "change" | "own", label: string) =>
    buildFigureColumn<ModuleLine>(
      { key, label },
      (line) => line[key],
      (line) =>
        key === "own" && line.own === null ? NO_VALUE : buildCostCell(key, line[key], line.currency),
    );
  return [
    {
      ...{ key: "module", label: "Module", sortable: true },
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
    figure("change", "Change"),
    figure("before", "Before"),
    figure("after", "After"),
    figure("own", "Without inner modules"),
    buildCurrencyColumn(),
  ];
}

/** A module with the modules in it. */
interface ModuleLine {
  /** Module path; null: the part of the total beyond all modules. */
  readonly path: string | null;
  /** The last name of the path. */
  readonly name: string;
  /** 0 for the outermost modules. */
  readonly depth: number;
  readonly currency: string;
  /** Monthly cost with the modules in it; null: unknown. */
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
  /** The change of the module itself; null: unknown, or only modules in it have a cost. */
  readonly own: Decimal | null;
}

interface Branch {
  readonly path: readonly string[];
  report: ModuleReport | null;
  readonly inner: Map<string, Branch>;
}

/** Lists modules as a tree, each followed by the modules in it, on every level the largest change first; currencies one by one. */
function listModuleLines(modules: readonly ModuleReport[]): readonly ModuleLine[] {
  return [...Map.groupBy(modules, ({ currency }) => currency ?? "")].flatMap(([currency, own]) => {
    const root: Branch = { path: [], report: null, inner: new Map() };
    for (const module of own)
      if (!module.unattributed) findBranch(root, splitPath(module.module)).report = module;
    const rest = own.filter(({ unattributed }) => unattributed).map((module) => toRestLine(module, currency));
    return [...listInner(root, currency), ...rest];
  });
}

/** Most levels of the tree: a longer path, which no person writes, would take a time that grows with its square. */
const MAX_LEVELS = 32;

function splitPath(path: string): readonly string[] {
  const names = path.split(".");
  const outer = names.slice(0, MAX_LEVELS - 1);
  return names.length <= MAX_LEVELS ? names : [...outer, names.slice(MAX_LEVELS - 1).join(".")];
}

function findBranch(root: Branch, path: readonly string[]): Branch {
  return path.reduce((outer, name) => {
    const known = outer.inner.get(name);
    if (known !== undefined) return known;
    const made: Branch = { path: [...outer.path, name], report: null, inner: new Map() };
    outer.inner.set(name, made);
    return made;
  }, root);
}

const listInner = ({ inner }: Branch, currency: string): readonly ModuleLine[] =>
  [...inner.values()]
    .map((branch) => listBranch(branch, currency))
    .sort(byChange)
    .flat();

function listBranch(branch: Branch, currency: string): readonly ModuleLine[] {
  const inner = listInner(branch, currency);
  const depth = branch.path.length - 1;
  const direct = inner.filter((line) => line.depth === depth + 1);
  const parts = branch.report === null ? direct : [branch.report, ...direct];
  const sum = (key: "before" | "after" | "change"): Decimal | null =>
    parts.reduce<Decimal | null>((total, part) => {
      const amount = part[key];
      return total === null || amount === null ? null : plus(total, amount);
    }, ZERO);
  const line: ModuleLine = {
    ...{ path: branch.path.join("."), name: branch.path.at(-1) ?? "", depth, currency },
    ...{ before: sum("before"), after: sum("after"), change: sum("change") },
    own: branch.report?.change ?? null,
  };
  return [line, ...inner];
}

const toRestLine = ({ before, after, change }: ModuleReport, currency: string): ModuleLine => ({
  ...{ path: null, name: "", depth: 0, currency, own: change },
  ...{ before, after, change },
});

/** Compares two modules with what is in them by their first line; unknown changes come last. */
const byChange = ([a]: readonly ModuleLine[], [b]: readonly ModuleLine[]): number =>
  compareSizes(b?.change ?? null, a?.change ?? null) || byText(a?.name ?? "", b?.name ?? "");
