import { createHash } from "node:crypto";
import { Hono } from "hono";
import type { PageFiles } from "./page-files.ts";

/** A file that every page loads. Its path changes with its content, so that browsers keep it for ever. */
interface Asset {
  readonly path: string;
  readonly text: string;
  readonly type: string;
}

export interface PageAssets {
  readonly style: Asset;
  /** The icon of the browser's tab. */
  readonly favicon: Asset;
}

export function createAssets({ style, icons }: Pick<PageFiles, "style" | "icons">): PageAssets {
  const shape = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#1f883d">${icons["law"] ?? ""}</svg>`;
  return {
    style: createAsset("page.css", style, "text/css; charset=utf-8"),
    favicon: createAsset("icon.svg", shape, "image/svg+xml"),
  };
}

function createAsset(name: string, text: string, type: string): Asset {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 12);
  return { path: `/assets/${digest}/${name}`, text, type };
}

/** Serves what every page loads. It contains no customer data, so it needs no sign-in. */
export function createAssetRoutes(assets: PageAssets): Hono {
  const app = new Hono();
  for (const { path, text, type } of [assets.style, assets.favicon]) {
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
