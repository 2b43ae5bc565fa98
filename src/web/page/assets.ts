import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { getShippedFile } from "../../package/shipped-files.ts";
import shapes from "./icons.json" with { type: "json" };

/** A file that pages load. Its path changes with its content, so that browsers keep it for ever. */
export interface Asset {
  readonly path: string;
  readonly text: string;
  readonly type: string;
}

function createAsset(name: string, type: string, text: string): Asset {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 12);
  return { path: `/assets/${digest}/${name}`, text, type };
}

const readStyle = (name: string): string => readFileSync(getShippedFile(`templates/pages/${name}`), "utf8");

const CSS = "text/css; charset=utf-8";
export const STYLE: Asset = createAsset("page.css", CSS, readStyle("tokens.css") + readStyle("page.css"));
export const SETUP_STYLE: Asset = createAsset("setup.css", CSS, readStyle("setup.css"));
export const FAVICON: Asset = createAsset(
  "icon.svg",
  "image/svg+xml",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#1f883d">${shapes.law}</svg>`,
);

/** Serves what pages load. It contains no customer data, so it needs no sign-in. */
export function createAssetRoutes(): Hono {
  const app = new Hono();
  for (const { path, text, type } of [STYLE, SETUP_STYLE, FAVICON]) {
    app.get(path, (context) =>
      context.body(text, 200, {
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      }),
    );
  }
  return app;
}
