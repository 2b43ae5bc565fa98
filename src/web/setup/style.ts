/** Styles of the setup pages: GitHub's look, light and dark, from 320 px on. */
export const SETUP_STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --page: #f6f8fa; --card: #fff; --link: #0969da; --button: #1f883d; --problem: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --text: #f0f6fc; --quiet: #9198a1; --line: #3d444d; --page: #010409; --card: #0d1117; --link: #4493f8; --button: #238636; --problem: #f85149; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 40rem; overflow-wrap: anywhere; margin: 2rem auto; padding: 1.5rem 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; font-weight: 600; line-height: 1.25; }
h2 { display: inline; font-size: 1rem; font-weight: 600; }
a { color: var(--link); }
fieldset { margin: 0 0 1rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 6px; }
legend, .field label, summary { font-weight: 600; }
.choice { display: flex; gap: .5rem; align-items: baseline; margin: .4rem 0; }
.choice small { display: block; }
.field label, .field input, .field textarea, .field small, .problem { display: block; }
input:not([type=radio]), textarea { width: 100%; margin: .25rem 0; padding: .4rem .75rem; background: var(--page); color: inherit; border: 1px solid var(--line); border-radius: 6px; font: inherit; }
textarea, code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
small { color: var(--quiet); }
.problem { color: var(--problem); font-size: .875rem; }
[aria-invalid=true] { border-color: var(--problem) !important; }
button, .button { display: inline-block; text-decoration: none; padding: .5rem 1rem; background: var(--button); color: #fff; border: 0; border-radius: 6px; font: inherit; font-weight: 600; cursor: pointer; }
button + a { margin-left: .75rem; }
details { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
pre { user-select: all; overflow-wrap: normal; line-height: 1.45; padding: .75rem 1rem; overflow-x: auto; background: var(--page); border: 1px solid var(--line); border-radius: 6px; }
.note { padding: .5rem 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
li { margin: .5rem 0; }
.steps { padding-left: 1.5rem; }
.steps li { margin: 1.25rem 0; }
.steps li::marker { font-weight: 600; }
.steps p { margin: .25rem 0 .5rem; }
fieldset .problem { margin: .25rem 0; }
@media (max-width: 30rem) { main { margin: 0; padding: 1rem; border: 0; border-radius: 0; } }
`;
