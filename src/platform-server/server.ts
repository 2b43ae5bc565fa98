import { Hono } from "hono";
import type { Clock } from "../kernel/clock.ts";
import { DIALECTS } from "../platform/contract/dialect.ts";
import { contract, namesInRouteOrder } from "../platform/contract/registry.ts";
import type { Store } from "../store/open.ts";
import { SnapshotCache } from "./changes/snapshot-cache.ts";
import type { Deps, IngestedCommit } from "./deps.ts";
import { handlers } from "./handlers.ts";
import { type AnyHandler, answer } from "./http/answer.ts";
import { problem, problemAnswer } from "./http/problem.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface PlatformServerOptions {
  readonly store: Pick<Store, "db">;
  readonly clock: Clock;
  /** How long attribute data may be read after its snapshot was committed, in ms; 30 days when absent. */
  readonly detailRetentionMs?: number;
  /** Told after an execution was bound to a commit, or after a bound one ended. When it fails, the caller gets a 500 and may send again. */
  onIngest(commit: IngestedCommit): Promise<void>;
  enqueue: Deps["enqueue"];
  /** Told of failures that a caller only sees as 500. */
  onError(error: unknown): void;
}

/** Where the API answers: as the documents write it, and under the gateway paths of the running service. */
const PREFIXES: readonly string[] = [
  ...new Set([...Object.values(DIALECTS).map(({ prefix }) => prefix), "/iacm"]),
];

/** Whether a path belongs to the platform, so that a server with other pages can tell. `pathname` without query. */
export const isPlatformPath = (pathname: string): boolean =>
  /^(\/gateway)?\/(iacm|ccm)(\/|$)|^\/api\/orgs(\/|$)|^\/(cf\/admin|har\/api|code\/api|tollgate\/v1)(\/|$)/.test(
    pathname,
  );

/** The embedded platform: every endpoint of the contract, over the store. Mount its `fetch` wherever `isPlatformPath` says so. */
export function createPlatformServer(options: PlatformServerOptions): Hono {
  const { store, clock, onIngest, enqueue, onError } = options;
  const deps: Deps = {
    db: store.db,
    clock,
    onIngest,
    enqueue,
    indexes: new SnapshotCache(store.db),
    detailRetentionMs: options.detailRetentionMs ?? 30 * DAY_MS,
  };
  const app = new Hono();
  for (const prefix of PREFIXES) mount(app, prefix, deps);
  app.notFound(() => problemAnswer(problem("not_found", "there is no such operation")));
  app.onError((error) => {
    onError(error);
    return problemAnswer(
      problem("internal_server_error", "the platform failed; the operator's log says why"),
    );
  });
  return app;
}

function mount(app: Hono, prefix: string, deps: Deps): void {
  for (const name of namesInRouteOrder(contract)) {
    const endpoint = contract[name as keyof typeof contract]; // they are the contract's own names
    // Each handler takes what `readRequest` makes of its own endpoint; the compiler cannot follow that through a loop.
    const handler = handlers[name as keyof typeof contract] as AnyHandler;
    const path = prefix + endpoint.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(endpoint.method, path, (c) =>
      answer(deps, { endpoint, handler }, { request: c.req.raw, params: c.req.param() }),
    );
  }
}
