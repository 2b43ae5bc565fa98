/** Styles of the pages beside GitHub's Markdown style; light and dark by the reader's preference. */
export const PAGE_CSS = `
:root {
  color-scheme: light dark;
  --canvas: #ffffff; --subtle: #f6f8fa; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --link: #0969da;
  --good: #1a7f37; --bad: #d1242f; --warn: #9a6700; --done: #8250df; --on: #ffffff; --code: #818b981f;
  --added: #dafbe1; --removed: #ffebe9; --marked: #fff8c5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #0d1117; --subtle: #151b23; --text: #f0f6fc; --quiet: #9198a1; --line: #3d444d; --link: #4493f8;
    --good: #3fb950; --bad: #f85149; --warn: #d29922; --done: #ab7df8; --on: #0d1117; --code: #656c7633;
    --added: #2ea04326; --removed: #f8514926; --marked: #bb800926;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--canvas); color: var(--text); overflow-wrap: anywhere;
  font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code { font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
p { margin: 0; }
.checks, .reasons, .rows, .annotations { list-style: none; margin: 0; padding: 0; }
.wide { max-width: 1140px; margin: 0 auto; padding: 0 24px; }
.quiet { color: var(--quiet); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .done { color: var(--done); }
.icon { flex: none; vertical-align: -3px; }
.icon.quiet { color: var(--quiet); }

.top { background: var(--subtle); border-bottom: 1px solid var(--line); padding: 14px 0; }
.top:has(.tabs) { padding-bottom: 0; }
.top > .wide:first-child { display: flex; flex-wrap: wrap; gap: 6px 16px; justify-content: space-between; align-items: center; }
.top nav a { color: var(--text); }
.home { color: var(--done); border: 1px dashed var(--done); border-radius: 2em; padding: 1px 12px; white-space: nowrap; }
.tabs { display: flex; gap: 4px; overflow-x: auto; border-bottom: 1px solid var(--line); margin-bottom: 16px; }
.top .tabs { border: 0; margin: 8px 0 0 -10px; }
.tabs a { color: var(--text); padding: 8px 10px; border-bottom: 2px solid transparent; white-space: nowrap; }
.tabs a:hover { text-decoration: none; background: var(--code); border-radius: 6px 6px 0 0; }
.tabs a[aria-current] { border-bottom-color: #fd8c73; font-weight: 600; }
.counter { background: var(--code); border-radius: 2em; padding: 1px 7px; font-size: 12px; font-weight: 500; }
.person { color: var(--text); font-weight: 600; }

.heading { padding: 24px 0 16px; border-bottom: 1px solid var(--line); margin-bottom: 24px; }
.heading.named { display: flex; gap: 16px; align-items: center; }
.heading.named h1 { margin: 0; }
.heading:has(+ .tabs) { border: 0; margin: 0; padding-bottom: 8px; }
.tabs + .timeline { padding-top: 8px; }
.space { padding-top: 16px; margin-bottom: 16px; } .counted { margin-bottom: 12px; }
.heading h1 { font-size: 28px; line-height: 1.3; font-weight: 500; margin: 0 0 10px; }
.heading h1 .quiet { font-weight: 300; }
.heading code { background: var(--code); color: var(--link); padding: 2px 6px; border-radius: 6px; }
.facts { margin-top: 10px; display: flex; flex-wrap: wrap; gap: 4px 12px; }
.heading .facts code { color: inherit; }
.pill {
  display: inline-flex; align-items: center; gap: 6px; padding: 4px 12px; margin-right: 6px; border-radius: 2em;
  font-weight: 600; color: #ffffff; background: #1f883d;
}
.pill .icon { color: inherit; }
.pill.merged { background: #8250df; } .pill.closed { background: #cf222e; } .pill.draft { background: #59636e; }
.tag {
  border: 1px solid var(--line); border-radius: 2em; padding: 0 7px; font-size: 12px; line-height: 18px;
  color: var(--quiet); white-space: nowrap;
}

.timeline { position: relative; padding-bottom: 8px; }
.post { display: flex; gap: 16px; margin-bottom: 20px; }
.avatar { flex: none; border-radius: 50%; }
.card { border: 1px solid var(--line); border-radius: 6px; background: var(--canvas); min-width: 0; }
.post .card { flex: 1; }
.card > header {
  background: var(--subtle); border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; padding: 8px 16px;
}
.card .markdown-body { padding: 16px; font-size: 14px; background: transparent; }
.card summary { padding: 12px 16px; cursor: pointer; }
.markdown-body summary { padding: 0; }
.markdown-body details { margin-bottom: 16px; }
.markdown-body table { font-variant-numeric: tabular-nums; overflow-wrap: normal; }

.merge { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 20px 56px; }
.merge.good { border-color: var(--good); } .merge.bad { border-color: var(--bad); }
.merge.warn { border-color: var(--warn); } .merge.done { border-color: var(--done); }
.merge, .merge a { color: var(--text); }
.merge-part { padding: 16px; }
.merge-part + .merge-part { border-top: 1px solid var(--line); }
.merge h2 { font-size: 16px; line-height: 1.4; font-weight: 600; margin: 0; }
.checks { margin-top: 10px; }
.checks li { display: flex; align-items: center; gap: 10px; padding: 7px 0; border-top: 1px solid var(--line); }
.checks li:first-child { border-top: 0; }
.checks a { color: var(--link); white-space: nowrap; }
.check-name { flex: 1; min-width: 0; }
.reasons { margin: 6px 0 0 22px; color: var(--quiet); }
.button {
  display: inline-block; margin-top: 14px; padding: 5px 16px; border-radius: 6px; font-weight: 500;
  color: #ffffff; background: #1f883d; border: 1px solid #1f883d;
}
.button:disabled, .button.plain { color: var(--quiet); background: var(--subtle); border-color: var(--line); }
.button.plain { color: var(--text); }
button.button { font: inherit; font-weight: 500; cursor: pointer; }
button.button:disabled { cursor: default; }
.button.choose { margin: 0; }
.rows:has(.choose) { margin-bottom: 8px; }
.rows li:has(.choose) { align-items: center; }
.rows .avatar { margin-top: 0; }

.check { margin: 0 0 20px; }
.columns { display: grid; grid-template-columns: 240px minmax(0, 1fr); gap: 24px; align-items: start; }
.columns.even { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.columns.turned { grid-template-columns: minmax(0, 1fr) 260px; }
.side .rows li { padding: 8px 12px; gap: 8px; } .side > header { padding-inline: 12px; }
.side a { color: var(--text); }
.side a[aria-current] { font-weight: 600; }
.pages { display: flex; gap: 16px; justify-content: center; padding: 16px; }
.annotations { padding-top: 12px; }
.check > header { display: flex; align-items: center; gap: 8px; }
.check .end { margin-left: auto; }
.check-body { padding: 16px 16px 0; }
.check-body > h2 { font-size: 16px; line-height: 1.4; margin: 0 0 12px; }
.check-body > p { padding-bottom: 16px; }
.check .markdown-body { padding: 0 0 16px; }
.check .markdown-body + .markdown-body { border-top: 1px solid var(--line); padding-top: 16px; }

.file { margin: 0 0 20px; scroll-margin-top: 16px; }
.file > header, .card > header:has(.end) { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; }
.card > header .end { margin-left: auto; }
.card > header code { font-size: 13px; }
.note { padding: 12px 16px; }
.scroll { overflow-x: auto; }
.code { border-collapse: collapse; width: 100%; font: 12px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
.code td { padding: 0 16px; white-space: pre; vertical-align: top; }
.code .number { width: 1%; min-width: 44px; padding: 0 10px; text-align: right; color: var(--quiet); user-select: none; }
.code .number a { color: inherit; }
.code .added { background: var(--added); } .code .removed { background: var(--removed); }
.lines tr:target td, .lines .marked td { background: var(--marked); }
.lines tr:target .number, .lines .marked .number { box-shadow: inset 3px 0 0 var(--warn); color: var(--text); }
.lines tr { scroll-margin-top: 30vh; }
.code .sign { display: inline-block; width: 16px; color: var(--quiet); user-select: none; }
.code .gap td { background: var(--subtle); color: var(--quiet); text-align: center; }
.code .annotation { position: sticky; left: 16px; width: calc(100vw - 66px); max-width: 1060px; }
.code .note td { padding: 8px 0 0; white-space: normal; font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.entries { width: 100%; border-collapse: collapse; }
.entries td { padding: 8px 16px; border-top: 1px solid var(--line); }
.entries tr:first-child td { border-top: 0; }
.entries td:last-child { text-align: right; white-space: nowrap; }
.entries a { color: var(--text); } .entries a.quiet, .place .quiet { color: var(--quiet); }
.place { padding: 16px 0; } .place .button.plain { margin: 0 8px 0 0; padding: 4px 12px; }
.bar { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; padding: 8px 16px; margin-bottom: 16px; }
.message { white-space: pre-wrap; margin: 0 0 10px; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.flash { padding: 10px 16px; margin-bottom: 16px; border: 1px solid var(--done); border-radius: 6px; }
.inner { padding: 0 16px 8px; }
.side + .side, .card.more { margin-top: 16px; }

.annotation { margin: 4px 16px 12px; padding: 8px 12px; border: 1px solid var(--line); border-left: 3px solid var(--warn); border-radius: 6px; }
.annotation.failure { border-left-color: var(--bad); } .annotation.notice { border-left-color: var(--quiet); }
.annotation p { white-space: pre-line; }

.rows li { display: flex; align-items: flex-start; gap: 10px; padding: 12px 16px; border-top: 1px solid var(--line); }
.rows li:first-child { border-top: 0; }
.rows .icon { margin-top: 3px; }
.grow { flex: 1; min-width: 0; }
.title { font-size: 16px; font-weight: 600; color: var(--text); }
.marks { display: flex; gap: 6px; white-space: nowrap; }

.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
.who { position: relative; margin-left: auto; }
.top .home { order: 1; }
.who summary { cursor: pointer; white-space: nowrap; }
.who .people { position: absolute; right: 0; z-index: 1; width: 320px; margin-top: 8px; box-shadow: 0 8px 24px #00000033; }
.people button {
  display: flex; gap: 10px; align-items: flex-start; width: 100%; padding: 8px 12px; border: 0; border-radius: 6px;
  color: inherit; background: none; font: inherit; text-align: left; cursor: pointer;
}
.people button:hover, .people button[aria-current] { background: var(--subtle); }
.people button span span { display: block; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 14px; }
.buttons .button { margin: 0; }
.check .buttons { margin: 0 0 16px; }
.act { margin: 0 0 28px 56px; }
.act:empty { display: none; }
.act h2 { font-size: 16px; font-weight: 600; margin: 0 0 8px; }
.act .rows li { align-items: center; }
.act .rows .button { margin: 0; min-width: 130px; }
.act > p { margin-top: 8px; }
textarea, select { font: inherit; color: var(--text); background: var(--canvas); border: 1px solid var(--line); border-radius: 6px; }
textarea { display: block; width: 100%; padding: 8px 12px; resize: vertical; }
select { padding: 5px 8px; max-width: 100%; }
.own { padding: 0 16px 12px; }
.own summary { padding: 0; }
.own form { margin-top: 8px; }
.own .button { margin-top: 8px; }
.reactions { padding: 0 16px 12px; }
.event { margin: -4px 0 16px 72px; }
.who .avatar { vertical-align: middle; }
.asked, .refused { margin-top: 16px; padding: 12px 16px; border: 1px solid var(--bad); border-radius: 6px; }
.asked { border-color: var(--line); margin: 0 0 16px; }
.markdown-body pre { user-select: all; }
.copyable { position: relative; margin-bottom: 16px; }
.markdown-body .copyable pre { margin: 0; padding-right: 76px; }
.copy {
  position: absolute; top: 8px; right: 8px; padding: 2px 10px; border: 1px solid var(--line); border-radius: 6px;
  color: var(--text); background: var(--canvas); font: inherit; font-size: 12px; cursor: pointer;
}
.changed:not(.post), .post.changed > .card { animation: changed 2s; }
@keyframes changed { from { box-shadow: 0 0 0 4px color-mix(in srgb, var(--link) 40%, transparent); } }
@media (prefers-reduced-motion: reduce) { .changed, .post.changed > .card { animation: none !important; } }

@media (max-width: 640px) {
  .wide { padding: 0 16px; }
  .columns, .columns.even, .columns.turned { grid-template-columns: minmax(0, 1fr); gap: 16px; }
  .code .number { min-width: 0; padding: 0 6px; } .code td { padding: 0 8px; }
  .heading { padding-top: 16px; }
  .heading h1 { font-size: 22px; }
  .post { gap: 0; }
  .post > .avatar { display: none; }
  .merge, .act, .event { margin-left: 0; }
  .wide-only { display: none; }
  .entries td { padding: 8px 12px; }
  .card > header { padding: 8px 12px; }
  .card .markdown-body { padding: 12px; }
  .check .markdown-body, .check .markdown-body + .markdown-body { padding: 12px 0; }
  .check .markdown-body:first-of-type { padding-top: 0; }
  .check-body { padding: 12px 12px 0; }
}
`;
