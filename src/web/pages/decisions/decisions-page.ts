import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { shareRunning } from "../../../kernel/read-once.ts";
import { cutText } from "../../../kernel/shorten.ts";
import { formatCount } from "../../../render/format.ts";
import {
  type AuditHead,
  type AuditLine,
  type AuditProblem,
  CHAIN_START,
  readAuditLines,
  verifyNextPart,
} from "../../../store/audit/chain.ts";
import { readRecord } from "../../../store/audit/decision-record.ts";
import {
  DECISION_KINDS,
  type DecisionFilter,
  type DecisionPage,
  listDecisions,
} from "../../../store/audit/decisions.ts";
import { findRepository } from "../../../store/repositories.ts";
import { createBearerLimiter } from "../../bearer-limiter.ts";
import { formatAddress, type PageAddress, type Query, readAddress } from "../../page/address.ts";
import { type Html, html, icon, plural, renderOption, renderTime } from "../../page/html.ts";
import { answerNotFound, answerTooMany, type PageDeps, type PageEnv } from "../../page/page.ts";
import { exportRows, readFormat, renderFileLinks } from "../../page/table.ts";
import { getReaderKey } from "../../reader.ts";
import { LINES_TYPE, streamLines } from "../../stream-lines.ts";
import { answerTab, createScopePages, findReadableRepository, type PageScope } from "../scope.ts";
import { DECISION_COLUMNS, describeDecision, renderDecisions } from "./decision-view.ts";

const PAGE_SIZE = 50;
/** How often a reader may fetch the whole chain. */
const CHAINS_PER_MINUTE = 6;
/** Most decisions of a CSV or JSON file. */
const MAX_EXPORTED = 10_000;

/** `GET /r/…/decisions`, `GET /o/…/decisions`: the chain of decisions in words, and as CSV, JSON and JSON Lines. */
export function createDecisionPages(deps: PageDeps): Hono<PageEnv> {
  const verifier = createChainVerifier(deps);
  const mayExport = createBearerLimiter(deps.clock, CHAINS_PER_MINUTE);
  const app = createScopePages(deps, "/decisions", async (context, scope) => {
    const address = readAddress(context.req.url);
    const form = readDecisionForm(address.query);
    const filter = toDecisionFilter(form, scope.repositoryIds);
    const before = readBefore(address.query["before"]);
    const format = readFormat(address.query["format"]);
    if (format !== null) {
      const { decisions } = await listDecisions(deps.db, filter, { before, limit: MAX_EXPORTED });
      return exportRows(
        { columns: DECISION_COLUMNS, rows: decisions.map(describeDecision), file: `decisions-${scope.name}` },
        format,
      );
    }
    const page = await listDecisions(deps.db, filter, { before, limit: PAGE_SIZE });
    const { isAdmin } = context.var.reader;
    const nowMs = deps.clock.now();
    const body = html`<h1>Decisions</h1>
<p>Every verdict, approval, override, merge over a failing check and answer about an apply${describeScope(scope)}, the newest first. Nothing here can be edited: each record contains the hash of the record before it.</p>
${renderChainState(await verifier.examine(), nowMs, isAdmin)}
${renderForm(form, address)}
${renderList(page, { form, address, before, scope, github: deps.github, nowMs })}
${isAdmin && scope.kind === "repository" && renderVerification(`${address.path}/chain.jsonl`)}`;
    return answerTab(context, scope, "decisions", body);
  });
  return app.get("/r/:owner/:name/decisions/chain.jsonl", async (context) => {
    const { reader } = context.var;
    const repository = await findReadableRepository(deps, reader, context.req.param());
    if (repository === null || !reader.isAdmin) return answerNotFound(context);
    if (!mayExport(getReaderKey(reader))) return answerTooMany(context);
    const lines = streamLines(readRepositoryChain(deps, repository.repositoryId), deps.onError);
    return context.body(lines, 200, { "content-type": LINES_TYPE });
  });
}

const describeScope = ({ kind, repositoryIds: { length } }: PageScope): string =>
  kind === "organisation"
    ? ` of the ${formatCount(length)} ${plural(length, "repository", "repositories")} that you can read`
    : "";

/** The chain has decisions of all repositories; how many is for admins only. */
function renderChainState(chain: ChainState, nowMs: number, isAdmin: boolean): Html {
  switch (chain.state) {
    case "whole":
      return html`<p class="flash success">${icon("shield-check")}<span><strong>The chain is whole.</strong> ${renderVerified(isAdmin ? chain.decisions : null, renderTime(chain.verifiedMs, nowMs))}</span></p>`;
    case "broken":
      return html`<p class="flash danger" role="alert">${icon("alert")}<span><strong>${isAdmin ? `Record ${chain.seq}` : "A record"} of the chain ${PROBLEMS[chain.problem] ?? "cannot be read"}.</strong> Found ${renderTime(chain.verifiedMs, nowMs)}. Tell the operator of Tollgate: somebody changed the database, or a backup was restored in part.</span></p>`;
    case "verifying":
      return html`<p class="flash attention">${icon("sync")}<span><strong>${
        isAdmin && chain.decisions
          ? `Verified up to record ${formatCount(chain.verified)} of ${formatCount(chain.decisions)}.`
          : "The chain is being verified."
      }</strong> The other records are being verified; reload the page to see how far it is.</span></p>`;
  }
}

function renderVerified(decisions: number | null, time: Html): Html {
  if (decisions === null) return html`Every record was verified, ${time}.`;
  return decisions === 0
    ? html`It has no records yet.`
    : html`${formatCount(decisions)} ${plural(decisions, "record was", "records were")} verified, ${time}.`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  gap: "is missing",
  not_linked: "does not follow the record before it",
  changed: "was changed after it was written",
  misplaced: "was moved",
  other_head: "is not the newest record that the database names",
};

interface ListPlace extends Pick<PageDeps, "github"> {
  readonly form: DecisionForm;
  readonly address: PageAddress;
  readonly before: string | null;
  readonly scope: PageScope;
  readonly nowMs: number;
}

function renderList(
  { decisions, next }: DecisionPage,
  { form, address, before, scope, ...place }: ListPlace,
): Html {
  return html`<section class="box" aria-label="Decisions">
${
  decisions.length > 0
    ? renderDecisions(decisions, { ...place, hasRepositories: scope.kind === "organisation" })
    : html`<p class="blank">${
        isFiltered(form)
          ? "No decision matches these filters."
          : "No decisions yet. The first evaluation of a pull request writes the first record."
      }</p>`
}
<div class="below">
${
  (before !== null || next !== null) &&
  html`<nav class="pages" aria-label="Pages of decisions">
${before !== null && html`<a rel="first" href="${formatAddress(address, { before: null })}">${icon("chevron-left")}Newest</a>`}
${next !== null && html`<a rel="next" href="${formatAddress(address, { before: next })}">Older${icon("chevron-right")}</a>`}
</nav>`
}
${
  decisions.length > 0 &&
  renderFileLinks("Decisions", {
    csv: formatAddress(address, { format: "csv", before: null }),
    json: formatAddress(address, { format: "json", before: null }),
  })
}
</div>
</section>`;
}

const renderVerification = (chainPath: string): Html => html`<details class="box">
<summary>Verify it yourself</summary>
<div class="box-body">
<p>The hash of a record covers the record before it, so a few records alone prove little. <a href="${chainPath}" download>The chain as JSON Lines</a> has this repository's records in full and only the hashes of all others, which is all that a proof needs:</p>
<pre><code>tollgate audit verify chain.jsonl</code></pre>
</div>
</details>`;

const KINDS = {
  verdict: "Verdicts",
  approval: "Approvals",
  override: "Overrides",
  merge: "Merges over a failing check",
  apply: "Applies",
} as const;

function renderForm(form: DecisionForm, { path, query }: PageAddress): Html {
  const ignored = listIgnoredFilters(query, form);
  return html`<form class="filters" method="get" action="${path}">
<label>Kind <select name="kind"><option value="">All</option>${Object.entries(KINDS).map(([kind, label]) => renderOption(kind, label, kind === form.kind))}</select></label>
<label>Person <input name="person" value="${form.person}" placeholder="login" autocomplete="off"></label>
<label>Rule <input name="rule" value="${form.rule}" placeholder="monthly-increase" autocomplete="off"></label>
<label>Pull request <input class="short" name="pull" value="${form.pull}" placeholder="12" inputmode="numeric" autocomplete="off"></label>
<label>From <input type="date" name="from" value="${form.from}"></label>
<label>To <input type="date" name="to" value="${form.to}"></label>
<button>${icon("filter")}Filter</button>
${isFiltered(form) && html`<a class="button" href="${path}">Clear</a>`}
</form>
${ignored.length > 0 && html`<p class="flash attention" role="status">${icon("alert")}<span>These filters cannot be read and are not applied, on this page and in its files: <strong>${ignored.join(", ")}</strong>. A pull request is a number, a day is written as in 2026-11-23.</span></p>`}`;
}

const isFiltered = (form: DecisionForm): boolean => Object.values(form).some((value) => value !== "");

/** The filters of a query as the form shows them; empty: no condition. */
interface DecisionForm {
  readonly kind: string;
  readonly person: string;
  readonly rule: string;
  readonly pull: string;
  /** Days as `2026-11-23`, in UTC. Both are included. */
  readonly from: string;
  readonly to: string;
}

/** Longest text that is searched, in characters. */
const MAX_TEXT = 200;

/** Reads the filters of a query. What is no filter is left out, also from the form. */
function readDecisionForm(query: Query): DecisionForm {
  const text = (name: string): string => cutText((query[name] ?? "").trim(), MAX_TEXT);
  const kind = DECISION_KINDS.find((known) => known === query["kind"]) ?? "";
  const pull = /^#?([1-9]\d{0,8})$/.exec(text("pull"))?.[1] ?? "";
  const day = (name: string): string => (readDay(text(name)) === null ? "" : text(name));
  const person = text("person").replace(/^@/, "");
  return { kind, person, rule: text("rule"), pull, from: day("from"), to: day("to") };
}

const LABELS: Readonly<Record<keyof DecisionForm, string>> = {
  kind: "Kind",
  person: "Person",
  rule: "Rule",
  pull: "Pull request",
  from: "From",
  to: "To",
};

/** Returns the labels of the filters that the query has and that were left out of the form, because they are none. */
const listIgnoredFilters = (query: Query, form: DecisionForm): readonly string[] =>
  Object.entries(LABELS).flatMap(([name, label]) => {
    const isIgnored = (query[name] ?? "").trim() !== "" && form[name as keyof DecisionForm] === ""; // keys of LABELS
    return isIgnored ? [label] : [];
  });

function toDecisionFilter(
  { kind, person, rule, pull, from, to }: DecisionForm,
  repositoryIds: readonly number[],
): DecisionFilter {
  const lastDay = readDay(to);
  return {
    repositoryIds,
    kind: DECISION_KINDS.find((known) => known === kind) ?? null,
    person: person || null,
    rule: rule || null,
    number: pull === "" ? null : Number(pull),
    fromMs: readDay(from),
    toMs: lastDay === null ? null : lastDay + DAY_MS,
  };
}

/** Returns the start of a day in UTC, in ms since 1970; null: it is no day that a database surely knows. */
function readDay(text: string): number | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** Reads `before` of a query: the id of a decision; null: the newest come first. */
const readBefore = (text: string | undefined): string | null =>
  text !== undefined && /^[0-9a-f-]{36}$/.test(text) ? text : null;

/** What is known of the stored chain of decisions. Times in ms since 1970. */
type ChainState =
  | { readonly state: "whole"; readonly decisions: number; readonly verifiedMs: number }
  /** The first `verified` of `decisions` are whole; the others are being verified. Null: their number is not read yet. */
  | { readonly state: "verifying"; readonly verified: number; readonly decisions: number | null }
  | {
      readonly state: "broken";
      readonly seq: number;
      readonly problem: AuditProblem;
      readonly verifiedMs: number;
    };

/** After this time, in ms, the chain is verified from its first decision again: an old row may have been changed. */
const AGAIN_MS = HOUR_MS;
/** After this time, in ms, a broken chain is verified again. */
const BROKEN_AGAIN_MS = MINUTE_MS;

/** Verifies the stored chain in parts and remembers how far it came. */
export function createChainVerifier(
  { db, clock }: Pick<PageDeps, "db" | "clock">,
  { patienceMs = 250 }: { readonly patienceMs?: number } = {},
) {
  let position = CHAIN_START;
  /** When the verification began at the first decision. */
  let startedMs = clock.now();
  /** Null: it has just begun. */
  let state: ChainState | null = null;
  const verify = shareRunning(async (): Promise<void> => {
    const limit = state?.state === "broken" ? BROKEN_AGAIN_MS : AGAIN_MS;
    if (clock.now() - startedMs > limit) [position, startedMs, state] = [CHAIN_START, clock.now(), null];
    if (state?.state === "broken") return;
    do {
      const part = await verifyNextPart(db, position);
      state = describePart(part, clock.now());
      if (part.state === "broken") startedMs = clock.now();
      else position = part.position;
    } while (state.state === "verifying");
  });
  return {
    /** Verifies what is new, and answers after `patienceMs` at the latest; a longer verification continues. */
    examine: async (): Promise<ChainState> => {
      const running = verify();
      running.catch(() => {}); // who still waits gets the error; a later examination tries again
      const late = new AbortController();
      await Promise.race([running, sleep(patienceMs, undefined, { signal: late.signal, ref: false })]);
      late.abort();
      return state ?? { state: "verifying", verified: 0, decisions: null };
    },
  };
}

function describePart(part: Awaited<ReturnType<typeof verifyNextPart>>, verifiedMs: number): ChainState {
  if (part.state === "broken") return { state: "broken", seq: part.seq, problem: part.problem, verifiedMs };
  const { head, position } = part;
  return position.seq === head
    ? { state: "whole", decisions: head, verifiedMs }
    : { state: "verifying", verified: position.seq, decisions: head };
}

/**
 * Returns the whole chain as `tollgate audit export` writes it for one repository: its records in full, and the hashes of all other
 * decisions, so that the file can be verified. Where readers may not see figures, records with amounts are left out like those of
 * other repositories. For admins: how many decisions there are tells of repositories that others cannot read, and from the hash of a
 * record without its amount the amount can be guessed.
 */
async function* readRepositoryChain(
  { db }: Pick<PageDeps, "db">,
  repositoryId: number,
): AsyncGenerator<AuditLine | AuditHead> {
  const hasFigures = (await findRepository(db, repositoryId))?.figures === true;
  for await (const line of readAuditLines(db, { repositoryId, fromMs: null, toMs: null }))
    yield hasFigures || "head" in line || line.record === undefined || !mayHaveAmounts(line.record)
      ? line
      : { seq: line.seq, previous: line.previous, hash: line.hash };
}

/** A record that cannot be read may have amounts. */
function mayHaveAmounts(text: string): boolean {
  const record = readRecord(text);
  if (record === null) return true;
  if (record.kind === "verdict" || record.kind === "apply") return false;
  if (record.kind === "approval") return record.upTo !== null;
  return record.open.some(({ amount, limit }) => amount !== null || limit !== null);
}
