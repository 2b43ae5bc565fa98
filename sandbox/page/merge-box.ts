import { html } from "hono/html";
import { listMergeObstacles } from "../rules/merge-rule.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { World } from "../state/world.ts";
import { type CheckLine, checkRow } from "./checks.ts";
import { ICON } from "./icons.ts";
import type { Html } from "./layout.ts";

/** Renders a summary of the checks, whether merging is allowed, and why not. */
export function mergeBox(world: World, pull: SandboxPull, lines: readonly CheckLine[]): Html {
  const because = listMergeObstacles(world, pull);
  const { tone, icon, title, words } = verdict(pull, because);
  return html`<section class="merge ${tone}" aria-label="Merging">
${lines.length > 0 && html`<div class="merge-part"><h2>${summary(lines)}</h2><ul class="checks">${lines.map(checkRow)}</ul></div>`}
<div class="merge-part">
<h2>${ICON[icon]} ${title}</h2>
${words.length > 0 && html`<ul class="reasons">${words.map((reason) => html`<li>${sentence(reason)}</li>`)}</ul>`}
${pull.state === "open" && html`<p><span class="button" aria-disabled="${because.length > 0 ? "true" : "false"}">Merge pull request</span></p>`}
</div>
</section>`;
}

interface MergeBoxText {
  readonly tone: string;
  readonly icon: keyof typeof ICON;
  readonly title: string;
  readonly words: readonly string[];
}

function verdict(pull: SandboxPull, because: readonly string[]): MergeBoxText {
  if (pull.mergedAt !== null) return { tone: "done", icon: "merged", title: "Merged", words: [] };
  if (pull.state === "closed") return { tone: "bad", icon: "closed", title: "Closed, not merged", words: [] };
  if (because.length === 0) return { tone: "good", icon: "success", title: "Merging is allowed", words: [] };
  const waits = because.every((reason) => /not reported yet$|is not finished$/.test(reason));
  return waits
    ? { tone: "warn", icon: "running", title: "Merging waits for required checks", words: because }
    : { tone: "bad", icon: "failure", title: "Merging is blocked", words: because };
}

/** "1 failed, 2 passed" */
function summary(lines: readonly CheckLine[]): string {
  const count = (...states: readonly CheckLine["state"][]) =>
    lines.filter((line) => states.includes(line.state)).length;
  const parts = [
    [count("failure"), "failed"],
    [count("attention"), "needing action"],
    [count("running", "waiting"), "not finished"],
    [count("success"), "passed"],
    [count("neutral", "skipped"), "neutral or skipped"],
  ] as const;
  const counted = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${lines.length === 1 ? "1 check" : `${lines.length} checks`}: ${counted.join(", ")}`;
}

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
