import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import data from "@primer/octicons/build/data.json" with { type: "json" };
import { ROOT } from "./targets.ts";

// `npm run generate:pages`: the parts of Primer that pages use, so that Tollgate brings neither package.

const FOLDER = `${ROOT}templates/pages`;
const THEMES = {
  light: import.meta.resolve("@primer/primitives/dist/css/functional/themes/light.css"),
  dark: import.meta.resolve("@primer/primitives/dist/css/functional/themes/dark.css"),
};
const readTheme = (name: keyof typeof THEMES): ReadonlyMap<string, string> => {
  const css = readFileSync(fileURLToPath(THEMES[name]), "utf8");
  return new Map(
    Array.from(css.matchAll(/^\s*(--[\w-]+):\s*(.*?);/gm), ([, key = "", value = ""]) => [key, value]),
  );
};

/** Returns the tokens that a text names, and those that their values name. */
function listTokens(text: string, theme: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set<string>();
  const waiting = [text];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, token = ""] of next.matchAll(/var\((--[\w-]+)/g)) {
      const value = theme.get(token);
      if (value === undefined || found.has(token)) continue;
      found.add(token);
      waiting.push(value);
    }
  }
  return [...found].sort();
}

function formatTheme(text: string, name: keyof typeof THEMES): string {
  const theme = readTheme(name);
  return listTokens(text, theme)
    .map((token) => `  ${token}: ${theme.get(token)};`)
    .join("\n");
}

const used = ["templates/pages/page.css", "src/web/page/chart.ts"]
  .map((path) => readFileSync(ROOT + path, "utf8"))
  .join("\n");
const tokens = `/* Colours of GitHub's Primer, MIT license, from @primer/primitives. Made by \`npm run generate:pages\`. */
:root {
  color-scheme: light dark;
${formatTheme(used, "light")}
}
@media (prefers-color-scheme: dark) {
:root {
${formatTheme(used, "dark")}
}
}
`;
writeFileSync(`${FOLDER}/tokens.css`, tokens);

/** By name; some have no shape of 16 pixels. */
const octicons: Readonly<Record<string, { heights: Readonly<Record<string, { path: string }>> }>> = data;
const file = `${ROOT}src/web/page/icons.json`;
const names = Object.keys(JSON.parse(readFileSync(file, "utf8")));
const icons = names.map((name) => {
  const path = octicons[name]?.heights["16"]?.path;
  if (path === undefined) throw new Error(`Octicons has no icon ${JSON.stringify(name)} of 16 pixels`);
  return [name, path];
});
writeFileSync(file, `${JSON.stringify(Object.fromEntries(icons), null, 2)}\n`);
