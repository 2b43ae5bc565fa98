import { authenticate } from "../api/authenticate.ts";
import type { ApiAnswer, Caller } from "../api/call.ts";
import { type Budget, budgetHeaders, isSpent, type RateLimiter } from "../api/rate.ts";
import { ApiRefusal } from "../state/refusal.ts";
import type { World } from "../state/world.ts";
import type { Fault, FaultBook } from "./faults.ts";
import { type AnswerContext, finish, refused, type WireAnswer } from "./finish.ts";
import { insteadOf } from "./instead.ts";
import type { RequestBook } from "./request-log.ts";

export interface Exchange {
  readonly world: World;
  readonly faults: FaultBook;
  readonly log: RequestBook;
  readonly rate: RateLimiter;
}

export interface Arrival extends AnswerContext {
  /** As the routes know it. */
  readonly path: string;
  /** What was sent; empty for a read. */
  readonly body: string;
  readonly authorization: string | null;
  readonly operation: string | null;
}

/** How much of an answer reaches the caller. */
export interface ExchangeOutcome {
  readonly finished: WireAnswer;
  readonly sent: "whole" | "half" | "nothing";
}

/** One call from arrival to answer: faults, authentication, the hourly budget, the act itself, headers, the log. */
export async function exchange(
  deps: Exchange,
  arrival: Arrival,
  act: (caller: Caller) => ApiAnswer | Promise<ApiAnswer>,
): Promise<ExchangeOutcome> {
  const started = performance.now();
  const at = deps.world.clock.now();
  const installationId = installationOf(deps.world, arrival.authorization);
  const asked = `${arrival.path}${arrival.url.search}`;
  const { method, body } = arrival;
  const fault = deps.faults.take({ method, path: asked, body, installationId });
  const outcome = await underFault(deps, { fault, arrival }, () => answered(deps, arrival, act));
  deps.log.write({
    method: arrival.method,
    path: asked,
    status: outcome.sent === "nothing" ? 0 : outcome.finished.status,
    appId: installationId === null ? null : deps.world.installations.require(installationId).appId,
    installationId,
    at,
    ms: performance.now() - started,
    operation: arrival.operation,
  });
  return outcome;
}

async function underFault(
  deps: Exchange,
  hit: { fault: Fault | null; arrival: Arrival },
  act: () => Promise<WireAnswer>,
): Promise<ExchangeOutcome> {
  const { fault, arrival } = hit;
  if (fault === null) return { finished: await act(), sent: "whole" };
  switch (fault.kind) {
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return { finished: await act(), sent: "whole" };
    case "truncate":
      return { finished: await act(), sent: "half" };
    case "lost-response-after-write":
      return { finished: await act(), sent: "nothing" };
    case "reset":
      return { finished: { status: 0, headers: {}, body: Buffer.alloc(0) }, sent: "nothing" };
    default: {
      const graphql = arrival.path === "/graphql";
      return { finished: insteadOf(fault, { clock: deps.world.clock, graphql }), sent: "whole" };
    }
  }
}

/** The answer without faults. A refusal is an answer too; anything else that is thrown is a bug and shows as 500. */
async function answered(
  deps: Exchange,
  arrival: Arrival,
  act: (caller: Caller) => ApiAnswer | Promise<ApiAnswer>,
): Promise<WireAnswer> {
  let budget: Budget | null = null;
  let answer: ApiAnswer;
  let key = "";
  try {
    const caller = authenticate(deps.world, arrival.authorization);
    key = `${arrival.path === "/graphql" ? "graphql" : "core"}:${keyOf(caller)}`;
    budget = deps.rate.use(key);
    if (isSpent(budget)) throw new ApiRefusal(403, "API rate limit exceeded for installation.");
    answer = await act(caller);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    answer = refused(error);
  }
  const finished = finish(answer, arrival);
  if (budget === null) return finished;
  const left = finished.status === 304 ? deps.rate.giveBack(key) : budget;
  return {
    ...finished,
    headers: { ...finished.headers, ...budgetHeaders(left, key.split(":")[0] ?? "core") },
  };
}

const keyOf = (caller: Caller): string =>
  caller.kind === "app" ? `app-${caller.app.id}` : String(caller.installation.id);

function installationOf(world: World, authorization: string | null): number | null {
  const token = /\s(\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  const id = world.tokens.get(token)?.installationId;
  return id === undefined || world.installations.get(id) === null ? null : id;
}
