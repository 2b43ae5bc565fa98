import { type Context, Hono } from "hono";
import { type DecisionPage, listDecisions } from "../../../store/audit/decisions.ts";
import type { InstalledRepository } from "../../../store/installations.ts";
import { listInstalledRepositories } from "../../../store/installations.ts";
import { createBearerLimiter } from "../../bearer-limiter.ts";
import {
  formatAddress,
  formatOwnerPath,
  formatRepositoryPath,
  type PageAddress,
  readAddress,
} from "../../page/address.ts";
import type { Page } from "../../page/frame.ts";
import { answerNotFound, answerTooMany, type PageDeps, type PageEnv } from "../../page/page.ts";
import { exportTable, readFormat } from "../../page/table.ts";
import { buildTimeView } from "../../page/times.ts";
import { getReaderKey } from "../../reader.ts";
import { LINES_TYPE, streamLines } from "../../stream-lines.ts";
import {
  buildOwnerTabs,
  buildRepositoryTabs,
  buildRepositoryTrail,
  findReadableRepository,
} from "../repository.ts";
import { readRepositoryChain } from "./chain-export.ts";
import { type ChainState, type ChainVerifier, createChainVerifier } from "./chain-verifier.ts";
import { DECISION_COLUMNS } from "./decision-columns.ts";
import { listIgnoredFilters, readBefore, readDecisionForm, toDecisionFilter } from "./decision-filter.ts";
import { buildDecisionView } from "./decision-view.ts";

const PAGE_SIZE = 50;
/** How often a reader may fetch the whole chain. */
const CHAINS_PER_MINUTE = 6;
/** Most decisions of a CSV or JSON file. */
const MAX_EXPORTED = 10_000;

/** The repositories whose decisions a page lists, and where the page is. */
interface Subject extends Pick<Page, "title" | "trail" | "tabs"> {
  readonly name: string;
  readonly repositories: readonly InstalledRepository[];
  /** Path of the export of the whole chain, for admins; null: the page is that of an organisation. */
  readonly chainPath: string | null;
}

/** `GET /r/…/decisions`, `GET /o/…/decisions`: the chain of decisions in words, and as CSV, JSON and JSON Lines. */
export function createDecisionPages(deps: PageDeps): Hono<PageEnv> {
  const verifier = createChainVerifier(deps);
  const mayExport = createBearerLimiter(deps.clock, CHAINS_PER_MINUTE);
  return new Hono<PageEnv>()
    .get("/r/:owner/:name/decisions", async (context) => {
      const { reader } = context.var;
      const repository = await findReadableRepository(deps, reader, context.req.param());
      if (repository === null) return answerNotFound(context);
      return answer(context, { deps, verifier }, buildRepositorySubject(repository));
    })
    .get("/r/:owner/:name/decisions/chain.jsonl", async (context) => {
      const { reader } = context.var;
      const repository = await findReadableRepository(deps, reader, context.req.param());
      if (repository === null) return answerNotFound(context);
      if (!reader.isAdmin) return answerNotFound(context);
      if (!mayExport(getReaderKey(reader))) return answerTooMany(context);
      const lines = streamLines(readRepositoryChain(deps, repository.repositoryId), deps.onError);
      return context.body(lines, 200, { "content-type": LINES_TYPE });
    })
    .get("/o/:owner/decisions", async (context) => {
      const { reader } = context.var;
      const readable = await reader.listReadable();
      const repositories = await listInstalledRepositories(deps.db, readable, context.req.param("owner"));
      const [first] = repositories;
      if (first === undefined) return answerNotFound(context);
      return answer(context, { deps, verifier }, buildOwnerSubject(first.owner, repositories));
    });
}

function buildRepositorySubject(repository: InstalledRepository): Subject {
  const name = `${repository.owner}/${repository.name}`;
  const path = `${formatRepositoryPath(name)}/decisions`;
  return {
    name,
    repositories: [repository],
    chainPath: `${path}/chain.jsonl`,
    title: `Decisions · ${name}`,
    trail: buildRepositoryTrail(repository, { text: "Decisions", href: path }),
    tabs: buildRepositoryTabs(name, "decisions"),
  };
}

function buildOwnerSubject(owner: string, repositories: readonly InstalledRepository[]): Subject {
  const path = formatOwnerPath(owner);
  return {
    name: owner,
    repositories,
    chainPath: null,
    title: `Decisions · ${owner}`,
    trail: [
      { text: owner, href: path },
      { text: "Decisions", href: `${path}/decisions` },
    ],
    tabs: buildOwnerTabs(owner, "decisions"),
  };
}

async function answer(
  context: Context<PageEnv>,
  { deps, verifier }: { readonly deps: PageDeps; readonly verifier: ChainVerifier },
  subject: Subject,
): Promise<Response> {
  const address = readAddress(context.req.url);
  const form = readDecisionForm(address.query);
  const ids = subject.repositories.map(({ repositoryId }) => repositoryId);
  const filter = toDecisionFilter(form, ids);
  const before = readBefore(address.query["before"]);
  const format = readFormat(address.query["format"]);
  if (format !== null) {
    const { decisions } = await listDecisions(deps.db, filter, { before, limit: MAX_EXPORTED });
    const name = `decisions-${subject.name}`;
    return exportTable({ columns: DECISION_COLUMNS, rows: decisions, name }, format);
  }
  const page = await listDecisions(deps.db, filter, { before, limit: PAGE_SIZE });
  const { isAdmin } = context.var.reader;
  const view = {
    ...buildListView(page, { address, before, github: deps.github, nowMs: deps.clock.now() }),
    form: { ...form, kinds: KINDS.map((kind) => ({ kind, selected: kind === form.kind })) },
    ignored: listIgnoredFilters(address.query, form).join(", "),
    isFiltered: Object.values(form).some((value) => value !== ""),
    count: ids.length,
    showsRepository: subject.chainPath === null,
    chain: buildChainView(await verifier.examine(), deps.clock.now(), isAdmin),
    chainPath: isAdmin ? subject.chainPath : null,
  };
  const { title, trail = [], tabs = [] } = subject;
  const rendered = deps.render({
    title,
    trail,
    tabs,
    template: "decisions",
    view,
    reader: context.var.reader,
  });
  return context.html(rendered) as Response; // hono types it as a promise when the text may be one
}

interface ListPlace {
  readonly address: PageAddress;
  readonly before: string | null;
  readonly github: string;
  readonly nowMs: number;
}

const buildListView = ({ decisions, next }: DecisionPage, { address, before, ...rest }: ListPlace) => ({
  decisions: decisions.map((decision) => buildDecisionView(decision, rest)),
  newest: before === null ? null : formatAddress(address, { before: null }),
  older: next === null ? null : formatAddress(address, { before: next }),
  path: address.path,
  csv: formatAddress(address, { format: "csv", before: null }),
  json: formatAddress(address, { format: "json", before: null }),
});

const KINDS = ["verdict", "approval", "override", "merge"] as const;

/** The chain has decisions of all repositories; how many is for admins only. */
function buildChainView(chain: ChainState, nowMs: number, isAdmin: boolean) {
  const { state } = chain;
  return {
    state,
    verified: state === "verifying" && isAdmin ? chain.verified : 0,
    decisions: state === "broken" || !isAdmin ? null : chain.decisions,
    seq: state === "broken" && isAdmin ? chain.seq : null,
    problem: state === "broken" ? chain.problem : null,
    time: state === "verifying" ? null : buildTimeView(chain.verifiedMs, nowMs),
  };
}
