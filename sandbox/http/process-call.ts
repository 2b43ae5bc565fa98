import { authenticateCaller } from "../api/authenticate.ts";
import type { ApiAnswer, Caller } from "../api/call.ts";
import { buildBudgetHeaders, isBudgetSpent, type RateBudget, type RateLimiter } from "../api/rate.ts";
import { ApiRefusal } from "../state/refusal.ts";
import type { World } from "../state/world.ts";
import { buildFaultAnswer } from "./fault-answer.ts";
import type { Fault, FaultBook } from "./faults.ts";
import { type AnswerContext, finishAnswer, toRefusedAnswer, type WireAnswer } from "./finish-answer.ts";
import type { RequestBook } from "./request-log.ts";

export interface ExchangeDeps {
  readonly world: World;
  readonly faults: FaultBook;
  readonly log: RequestBook;
  readonly rate: RateLimiter;
}

export interface IncomingCall extends AnswerContext {
  /** The path that routes match. */
  readonly path: string;
  /** The request body; empty for a read. */
  readonly body: string;
  readonly authorization: string | null;
  readonly operation: string | null;
}

/** An answer and how much of it reaches the caller. */
export interface ExchangeOutcome {
  readonly finished: WireAnswer;
  readonly sent: "whole" | "half" | "nothing";
}

/** Processes one call: faults, the answer, the log. */
export async function processCall(
  deps: ExchangeDeps,
  call: IncomingCall,
  answer: () => Promise<WireAnswer>,
): Promise<ExchangeOutcome> {
  const started = performance.now();
  const at = deps.world.clock.now();
  const installationId = findInstallationId(deps.world, call.authorization);
  const path = `${call.path}${call.url.search}`;
  const { method, body } = call;
  const fault = deps.faults.take({ method, path, body, installationId });
  const outcome = await applyFault(deps, { fault, call }, answer);
  deps.log.write({
    method: call.method,
    path,
    status: outcome.sent === "nothing" ? 0 : outcome.finished.status,
    appId: installationId === null ? null : deps.world.installations.require(installationId).appId,
    installationId,
    at,
    ms: performance.now() - started,
    operation: call.operation,
  });
  return outcome;
}

const NOT_SENT: ExchangeOutcome = {
  finished: { status: 0, headers: {}, body: Buffer.alloc(0) },
  sent: "nothing",
};

async function applyFault(
  deps: ExchangeDeps,
  hit: { fault: Fault | null; call: IncomingCall },
  handle: () => Promise<WireAnswer>,
): Promise<ExchangeOutcome> {
  const { fault, call } = hit;
  if (fault === null) return { finished: await handle(), sent: "whole" };
  switch (fault.kind) {
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return { finished: await handle(), sent: "whole" };
    case "truncate":
      return { finished: await handle(), sent: "half" };
    case "lost-response-after-write":
      return { finished: await handle(), sent: "nothing" };
    case "reset":
      return NOT_SENT;
    case "late":
      setTimeout(() => void handle(), fault.ms).unref();
      return NOT_SENT;
    default: {
      const graphql = call.path === "/graphql";
      return { finished: buildFaultAnswer(fault, { clock: deps.world.clock, graphql }), sent: "whole" };
    }
  }
}

/** Answers a call without faults: authentication, the hourly budget, the handler, headers. A refusal is an answer too; any other thrown error is a bug and becomes 500. */
export async function answerCall(
  deps: ExchangeDeps,
  call: IncomingCall,
  handle: (caller: Caller) => ApiAnswer | Promise<ApiAnswer>,
): Promise<WireAnswer> {
  let budget: RateBudget | null = null;
  let answer: ApiAnswer;
  let key = "";
  try {
    const caller = authenticateCaller(deps.world, call.authorization);
    key = `${call.path === "/graphql" ? "graphql" : "core"}:${getCallerKey(caller)}`;
    budget = deps.rate.use(key);
    if (isBudgetSpent(budget)) throw new ApiRefusal(403, "API rate limit exceeded for installation.");
    answer = await handle(caller);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    answer = toRefusedAnswer(error);
  }
  const finished = finishAnswer(answer, call);
  if (budget === null) return finished;
  const left = finished.status === 304 ? deps.rate.refund(key) : budget;
  return {
    ...finished,
    headers: { ...finished.headers, ...buildBudgetHeaders(left, key.split(":")[0] ?? "core") },
  };
}

const getCallerKey = (caller: Caller): string =>
  caller.kind === "installation"
    ? String(caller.installation.id)
    : caller.kind === "user"
      ? `user-${caller.user.id}`
      : `app-${caller.app.id}`;

function findInstallationId(world: World, authorization: string | null): number | null {
  const token = /\s(\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  const id = world.tokens.get(token)?.installationId;
  return id === undefined || world.installations.get(id) === null ? null : id;
}
