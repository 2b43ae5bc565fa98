import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** One stage of an execution, as this platform records it. It costs 10 more per month than before. */
export interface RecordedStage {
  readonly execution: string;
  readonly stage: string;
  readonly workspace: string;
  readonly pipeline: string;
  readonly status: "none" | "success" | "failure";
  readonly createdMs: number;
}

/** How the platform handles what the documents leave open. */
export interface Manners {
  /** Filters of the executions list that have an effect, by their name on the wire. */
  readonly filters: readonly ("pipeline_execution_id" | "pipeline" | "start_time" | "end_time")[];
  /** What becomes of a query parameter whose name no document prints: `refuse` answers 400. */
  readonly otherParameters: "ignore" | "refuse";
  /** `documented`: the headers of document 1, section 8. */
  readonly headers: "documented" | "none";
  /** Rows and executions of a page, at most, whatever is asked for. */
  readonly mostPerPage: number;
}

const LITERAL: Manners = {
  filters: [],
  otherParameters: "refuse",
  headers: "documented",
  mostPerPage: 100,
};

export interface DocumentedPlatform {
  readonly url: string;
  /** Requests that were refused with 400 or 404: what was wrong with each. */
  readonly refused: string[];
  /** Reads of the executions list. */
  lists(): number;
  /** From now on it has these stages, in this order, and these manners over the literal ones. */
  becomes(stages: readonly RecordedStage[], manners?: Partial<Manners>): void;
  close(): void;
}

interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
}
type Answer =
  | { readonly body: unknown; readonly headers?: Record<string, string> }
  | { readonly wrong: string; readonly status?: number };

/** Headers that HTTP itself and document 1 (section 5) and document 3 (section 1) know. */
const HEADERS = [
  "host connection accept accept-encoding user-agent content-type content-length transfer-encoding",
  "x-api-key platform-account",
].flatMap((names) => names.split(" "));

const PROJECT = "/api/orgs/o/projects/p";

/**
 * A platform made from the tables of the three documents: it knows the paths, parameters and headers that they print and
 * refuses everything else. Organisation `o`, project `p`, account `acc`.
 */
export async function documentedPlatform(): Promise<DocumentedPlatform> {
  let state: { stages: readonly RecordedStage[]; manners: Manners } = { stages: [], manners: LITERAL };
  let lists = 0;
  const refused: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === `${PROJECT}/executions`) lists += 1;
    const answer = headerProblem(request) ?? route({ path: url.pathname, query: url.searchParams }, state);
    if ("wrong" in answer && (answer.status !== 404 || !url.pathname.startsWith(PROJECT)))
      refused.push(answer.wrong);
    const { status, headers, body } = toHttp(answer);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    lists: () => lists,
    becomes: (stages, manners = {}) => {
      state = { stages, manners: { ...LITERAL, ...manners } };
      lists = 0;
      refused.length = 0;
    },
    close: () => server.close(),
  };
}

function toHttp(answer: Answer) {
  if (!("wrong" in answer)) return { status: 200, headers: answer.headers ?? {}, body: answer.body };
  const flags = { temporary: false, timeout: false, fault: false };
  const body = { name: "refused", id: "1", message: answer.wrong, ...flags };
  return { status: answer.status ?? 400, headers: {}, body };
}

function headerProblem({ headers }: IncomingMessage): Answer | null {
  const unknown = Object.keys(headers).filter((name) => !HEADERS.includes(name));
  if (unknown.length > 0) return { wrong: `unknown header ${unknown.join(", ")}` };
  if (headers["x-api-key"] === undefined) return { wrong: "no x-api-key", status: 401 };
  return headers["platform-account"] === "acc" ? null : { wrong: "no Platform-Account" };
}

interface State {
  readonly stages: readonly RecordedStage[];
  readonly manners: Manners;
}

function route({ path, query }: Asked, state: State): Answer {
  if (!path.startsWith(`${PROJECT}/`)) return { wrong: `unknown path ${path}`, status: 404 };
  const rest = path.slice(PROJECT.length);
  const [, area = "", execution = "", part = "", ...more] = rest.split("/").map(decodeURIComponent);
  if (area === "settings") return settings(execution, query);
  if (area !== "executions") return { wrong: `unknown path ${path}`, status: 404 };
  if (execution === "") return listed(query, state);
  const own = state.stages.filter((stage) => stage.execution === execution);
  if (part === "cost-changes-all-stages") return ofStages(own, costOf);
  if (part === "cost-changes-all-stages-by-modules")
    return ofStages(own, (stage) => ({ modules: {}, ...namesOf(stage) }));
  const stage = own.find((one) => one.stage === part);
  if (stage === undefined) return { wrong: "no such stage", status: 404 };
  if (more.length === 0) return { body: written(stage) };
  return changes(more, query, state.manners);
}

const ofStages = (stages: readonly RecordedStage[], body: (stage: RecordedStage) => unknown): Answer =>
  stages.length === 0 ? { wrong: "no such execution", status: 404 } : { body: stages.map(body) };

/** The one setting that a gate needs, and those that differ from dialect to dialect. */
function settings(name: string, query: URLSearchParams): Answer {
  if (name === "disabled") return undeclared(query, []) ?? { body: { disabled: false } };
  const provisioner = query.get("provisioner") ?? "";
  if (!["drift-config", "ephemeral-config"].includes(name))
    return { wrong: `unknown path ${name}`, status: 404 };
  if (!/^iac_tool_[123]$/.test(provisioner)) return { wrong: "no such provisioner", status: 404 };
  return undeclared(query, ["provisioner"]) ?? { body: { enabled: false, provisioner } };
}

function undeclared(query: URLSearchParams, known: readonly string[]): Answer | null {
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  return unknown.length === 0 ? null : { wrong: `unknown parameter ${unknown.join(", ")}` };
}

/** A number in a query; 0: it is none. */
const numberIn = (query: URLSearchParams, name: string, otherwise: number): number => {
  const text = query.get(name) ?? `${otherwise}`;
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

const FITS: Readonly<Record<Manners["filters"][number], (stage: RecordedStage, wanted: string) => boolean>> =
  {
    pipeline_execution_id: ({ execution }, wanted) => execution === wanted,
    pipeline: ({ pipeline }, wanted) => pipeline === wanted,
    start_time: ({ createdMs }, wanted) => createdMs >= Number(wanted),
    end_time: ({ createdMs }, wanted) => createdMs <= Number(wanted),
  };

function listed(query: URLSearchParams, { stages, manners }: State): Answer {
  const { filters, otherParameters, headers, mostPerPage } = manners;
  const limit = numberIn(query, "limit", 30);
  const page = numberIn(query, "page", 1);
  if (limit < 1 || limit > 100) return { wrong: `limit ${limit} is not from 1 to 100` };
  if (page < 1) return { wrong: "page counts from 1" };
  const unknown = undeclared(query, ["limit", "page", ...filters]);
  if (unknown !== null && otherParameters === "refuse") return unknown;
  const fits = (stage: RecordedStage): boolean =>
    filters.every((name) => {
      const wanted = query.get(name);
      return wanted === null || FITS[name](stage, wanted);
    });
  const all = stages.filter(fits);
  const size = Math.min(limit, mostPerPage);
  const paging = {
    "X-Total-Elements": `${all.length}`,
    "X-Page-Number": `${page}`,
    "X-Page-Size": `${size}`,
  };
  const body = all.slice((page - 1) * size, page * size).map(written);
  return { body, ...(headers === "documented" && { headers: paging }) };
}

const written = ({ execution, stage, createdMs, ...others }: RecordedStage) => ({
  account: "acc",
  org: "o",
  project: "p",
  pipeline_execution_id: execution,
  pipeline_stage_id: stage,
  created: createdMs,
  ...others,
});

const namesOf = ({ stage, workspace }: RecordedStage) => ({
  stage_execution_id: stage,
  stage_id: "plan",
  workspace_id: workspace,
});

const costOf = (stage: RecordedStage) => ({
  currency: "USD",
  diff: {},
  total_monthly_cost: "20.00",
  past_total_monthly_cost: "10.00",
  diff_total_monthly_cost: "10.00",
  percentage_change_total_monthly_cost: 100,
  ...namesOf(stage),
});

/** Of each stage 120 resources are added and nothing else changes. */
const ADDED = 120;

function changes(
  [area, category, last]: readonly string[],
  query: URLSearchParams,
  manners: Manners,
): Answer {
  if (area !== "resource-changes") return { wrong: `unknown path ${area}`, status: 404 };
  if (category === "filter-counts")
    return undeclared(query, ["provider", "type", "module", "category"]) ?? { body: COUNTS };
  if (last !== "rows") return { wrong: `unknown path ${category}`, status: 404 };
  const unknown = undeclared(query, ["provider", "type", "module", "page"]);
  if (unknown !== null && manners.otherParameters === "refuse") return unknown;
  const page = numberIn(query, "page", 1);
  const size = Math.min(25, manners.mostPerPage);
  const total = category === "planned_changes" ? ADDED : 0;
  const rows = Array.from({ length: total }, (_, ordinal) => ({
    ordinal,
    category,
    change: "added",
    change_count: 0,
    drift: false,
    mode: "managed",
    module: "root",
    name: `n${ordinal}`,
    provider: "aws",
    resource_address: `aws_thing.n${ordinal}`,
    type: "aws_thing",
  }));
  const body = {
    page,
    pageSize: size,
    rows: rows.slice((page - 1) * size, page * size),
    totalItems: total,
    totalPages: Math.ceil(total / size),
  };
  return { body };
}

const COUNTS = {
  categories: { drift_changes: 0, outputs: 0, planned_changes: ADDED, resources: 0 },
  change_types: { added: ADDED, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0 },
  modules: { root: ADDED },
  providers: { aws: ADDED },
  types: { aws_thing: ADDED },
};
