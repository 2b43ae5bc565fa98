import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { createPageTexts } from "../../src/render/page-sections.ts";
import { createAssetRoutes } from "../../src/web/page/assets.ts";
import { setPageHeaders } from "../../src/web/page/frame.ts";
import type { OperatorAccess, PageDeps, PolicyAccess } from "../../src/web/page/page.ts";
import { createPages } from "../../src/web/pages/routes.ts";
import type { Reader } from "../../src/web/reader.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { loadTemplates } from "../../src/wiring/process/templates.ts";

/** A reader whom GitHub lets read these repositories. */
export const createReader = (readable: Iterable<number>, login = "ada", isAdmin = false): Reader => {
  const ids = new Set(readable);
  return {
    userId: 1,
    login,
    isAdmin,
    canRead: async (id) => ids.has(id),
    listReadable: async () => ids,
  };
};

const NO_POLICIES: PolicyAccess = {
  readFiles: async () => null,
  perform: async () => {
    throw new Error("this test evaluates no policy");
  },
};

const refuse = (): never => {
  throw new Error("this test asks no operator");
};
const NO_OPERATOR: OperatorAccess = {
  readState: async () => refuse(),
  evaluate: async () => refuse(),
  sweep: refuse,
  retryDelivery: async () => refuse(),
  record: refuse,
};

/** What pages need beside the store. */
interface PageAccess {
  readonly policies?: PolicyAccess;
  readonly readAppliedSavings?: PageDeps["readAppliedSavings"];
  readonly operator?: OperatorAccess;
  readonly executions?: PageDeps["executions"];
  readonly fiscalYearStarts?: string;
}

/** The same for every server, and slower to make than most pages. */
const TEXTS = createPageTexts(loadTemplates());

/**
 * Serves the pages of a database on loopback; returns their root URL. Everybody who asks is `reader`; null: nobody is signed in. For
 * what pages show; `test/scripts` has those of people who sign in.
 */
export async function servePages(
  database: Database,
  reader: Reader | null,
  nowMs = Date.now(),
  {
    policies = NO_POLICIES,
    operator = NO_OPERATOR,
    executions = null,
    fiscalYearStarts = "01-01",
    readAppliedSavings = async () => ({ state: "unknown", reason: "not_granted" }),
  }: PageAccess = {},
): Promise<string> {
  const deps = {
    texts: TEXTS,
    db: database.db,
    clock: { now: () => nowMs, monotonicMs: () => performance.now() },
    policies,
    operator,
    readAppliedSavings,
    executions,
    github: "http://127.0.0.1:1",
    fiscalYearStarts,
    publicUrl: "http://127.0.0.1:2",
    onError: (error: unknown) => {
      throw error;
    },
  };
  const app = new Hono();
  app.use(setPageHeaders());
  app.route("/", createAssetRoutes());
  app.route(
    "/",
    createPages(deps, async () => reader),
  );
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    );
    onTestFinished(() => void server.close());
  });
}
