import { html } from "hono/html";
import {
  type FileChange,
  findMergeBase,
  listChangedFiles,
  readSnapshot,
  readTextLines,
} from "../state/git.ts";
import { type DiffLine, diffLines } from "../state/line-diff.ts";
import type { CheckAnnotation, Repository } from "../state/records.ts";
import { getObjects, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import { checkLines } from "./check-lines.ts";
import { annotationMarkup } from "./check-page.ts";
import type { Html } from "./layout.ts";
import { pullTabHtml, type Visit } from "./pull-page.ts";
import { count } from "./repository-frame.ts";

/** Renders what a pull request changes, with the annotations of its checks beside their lines. */
export function filesTabHtml(world: World, visit: Visit): Html {
  const { pull } = visit;
  const repository = world.repositories.require(pull.repositoryId);
  const from = findMergeBase(getObjects(world, repository), pull.baseSha, pull.headSha);
  const annotations = checkLines(world, pull).flatMap(({ name, run }) =>
    (run?.annotations ?? []).map((one) => ({ ...one, check: name })),
  );
  const sides = { repository, from, to: pull.headSha };
  return pullTabHtml(world, visit, "Files changed", differenceMarkup(world, sides, annotations));
}

interface PlacedAnnotation extends CheckAnnotation {
  readonly check: string;
}

interface Sides {
  readonly repository: Repository;
  /** Null: nothing was there before. */
  readonly from: string | null;
  readonly to: string;
}

/** Renders each changed file between two commits. */
export function differenceMarkup(
  world: World,
  { repository, from, to }: Sides,
  annotations: readonly PlacedAnnotation[] = [],
): Html {
  const objects = getObjects(world, repository);
  const [before, after] = [readSnapshot(objects, from), readSnapshot(objects, to)];
  const files = listChangedFiles(objects, from, to).map((change, index) => {
    const old = readTextLines(objects, before.get(change.previousPath ?? change.path) ?? null);
    const now = readTextLines(objects, after.get(change.path) ?? null);
    const own = annotations.filter(({ path }) => path === change.path);
    const removed = change.status === "removed";
    const sha = removed ? (from ?? to) : to;
    const href = formatRepositoryPath(world, repository, "blob", sha, change.path);
    return html`<section class="card file" id="diff-${index}"><header>${change.previousPath !== null && html`<code>${change.previousPath}</code> → `}<a href="${href}"><code>${change.path}</code></a> <span class="quiet">${change.status}</span><span class="end"><span class="good">+${change.additions}</span> <span class="bad">−${change.deletions}</span></span></header>${hunks(change, old, now, own)}</section>`;
  });
  return html`<p class="quiet counted">${count(files.length, "file")} changed</p>${files}`;
}

/** Unchanged lines that are shown before and after a changed one. */
const CONTEXT = 3;

function hunks(
  { status }: FileChange,
  old: readonly string[] | null,
  now: readonly string[] | null,
  annotations: readonly PlacedAnnotation[],
): Html {
  if (old === null || now === null) return html`<p class="quiet note">A binary file.</p>`;
  const lines = diffLines(old, now);
  const isMarked = ({ before, after }: DiffLine) =>
    before === null || after === null || annotations.some(({ end_line }) => end_line === after);
  const marked = lines.flatMap((line, at) => (isMarked(line) ? [at] : []));
  const shown = new Set(
    marked.flatMap((at) => Array.from({ length: 2 * CONTEXT + 1 }, (_, n) => at - CONTEXT + n)),
  );
  const rows = lines.flatMap((line, at) => {
    if (!shown.has(at)) return [];
    const notes = annotations.filter(({ end_line }) => end_line === line.after);
    return [
      !shown.has(at - 1) && at > 0 ? html`<tr class="gap"><td colspan="3">⋯</td></tr>` : "",
      lineRow(line),
      ...notes.map(
        (one) => html`<tr class="note"><td colspan="3">${annotationMarkup(one, one.check)}</td></tr>`,
      ),
    ];
  });
  if (rows.length === 0)
    return html`<p class="quiet note">The contents of the file are the same (${status}).</p>`;
  return html`<div class="scroll"><table class="code">${rows}</table></div>`;
}

const lineRow = ({ text, before, after }: DiffLine): Html => {
  const [kind, sign] = before === null ? ["added", "+"] : after === null ? ["removed", "−"] : ["", " "];
  return html`<tr class="${kind}"><td class="number">${before ?? ""}</td><td class="number">${after ?? ""}</td><td><span class="sign">${sign}</span>${text}</td></tr>`;
};
