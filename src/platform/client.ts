import { type Clock, MINUTE_MS } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import { isPlatformId } from "../kernel/ids.ts";
import { shareRunning } from "../kernel/read-once.ts";
import {
  APIS,
  type ApiName,
  type ClientInput,
  type Endpoint,
  type EndpointOutput,
  type LooseInput,
} from "./contract/endpoint.ts";
import { governance } from "./contract/governance.ts";
import { getPushDisabled } from "./contract/settings.ts";
import { encodeRequest } from "./contract/wire/codec.ts";
import { DIALECTS, type DialectName } from "./contract/wire/translate.ts";
import { createFailure, createRedactor, type Failure, OWN_LIMIT, type PlatformResult } from "./errors.ts";
import { readAnswer } from "./read-answer.ts";
import { computeRetryPause, type RetryRules } from "./retry.ts";
import { createTransport, type Transport, type TransportLimits } from "./transport.ts";

export interface PlatformLimits extends TransportLimits, RetryRules {
  /** Time limit of a whole call with its retries and pauses, without waits for its turn, in ms. */
  readonly totalMs: number;
  /** Longest wait for the turn of a request, in ms. */
  readonly turnMs: number;
}

const DEFAULT_LIMITS: PlatformLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  bodyMs: 10_000,
  totalMs: 45_000,
  maxAnswerBytes: 64 * 1024 * 1024,
  connections: 16,
  tries: 4,
  baseMs: 250,
  maxMs: 5_000,
  maxRetryAfterMs: 20_000,
  turnMs: 45_000,
};

export interface PlatformClientOptions extends PlatformAddress {
  /** Null: not configured; the first read detects it. */
  readonly dialect: DialectName | null;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly limits?: Partial<PlatformLimits>;
  /** When requests may be sent; absent: at once. */
  readonly pace?: CallPace;
  /** Absent: connections to the address of `url`. */
  readonly transport?: Transport;
  /** Receives each call that has ended, with its retries. */
  readonly onCall?: (call: PlatformCall) => void;
}

export interface PlatformCall {
  /** Area and operation of the contract. */
  readonly operation: string;
  readonly outcome: "ok" | Failure["kind"];
  readonly seconds: number;
}

export interface PlatformClient {
  /**
   * Calls one endpoint of the contract. It retries reads on 408, 429, 5xx and broken connections, and nothing else.
   * Every failure is a result: the promise never rejects because of a service.
   */
  call<E extends Endpoint>(endpoint: E, input: ClientInput<E>): Promise<PlatformResult<EndpointOutput<E>>>;
  close(): Promise<void>;
}

/** Creates a client; throws `settings_invalid` for an unusable URL, token or account. */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { clock, onCall } = options;
  const limits: PlatformLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const profiles = { live: createProfile(options, "live"), neutral: createProfile(options, "neutral") };
  const transport = options.transport ?? createTransport(profiles.live.origin, limits);
  const service: Service = { options, limits, transport, redact: createRedactor(options.token) };
  const callIn = (dialect: DialectName, endpoint: Endpoint, input: LooseInput) =>
    callService(service, { dialect, profile: profiles[dialect] }, { endpoint, input });
  const findDialect = createDialectProbe((probe, dialect) => callIn(dialect, probe.endpoint, probe.input));
  return {
    async call<E extends Endpoint>(endpoint: E, input: ClientInput<E>) {
      const beganMs = clock.monotonicMs();
      const dialect = options.dialect ?? (await findDialect(endpoint, input));
      const result = await callIn(dialect, endpoint, input);
      onCall?.({
        operation: `${endpoint.area} ${endpoint.operation}`,
        outcome: result.ok ? "ok" : result.failure.kind,
        seconds: (clock.monotonicMs() - beganMs) / 1_000,
      });
      return result as PlatformResult<EndpointOutput<E>>; // the value was read by the schema that the type is made from
    },
    close: () => transport.close(),
  };
}

interface Service {
  readonly options: PlatformClientOptions;
  readonly limits: PlatformLimits;
  readonly transport: Transport;
  readonly redact: (text: string) => string;
}

async function callService(
  service: Service,
  { dialect, profile }: { readonly dialect: DialectName; readonly profile: DialectProfile },
  { endpoint, input }: { readonly endpoint: Endpoint; readonly input: LooseInput },
): Promise<PlatformResult<unknown>> {
  const { clock, pace, sleep, account } = service.options;
  const { limits, redact } = service;
  const fail = (failure: Failure) => createRedactedFailure(endpoint, failure, redact);
  const request = encodeRequest(endpoint, input, { dialect, account });
  if (!request.ok) {
    const broken = createFailure("rejected", request.problems.join("; "), { code: "invalid_request" });
    return fail({ ...broken, fields: request.fields });
  }
  let deadline = clock.monotonicMs() + limits.totalMs;
  for (let next = 2; ; next += 1) {
    const waitMs = pace === undefined ? 0 : pace.reserve(limits.turnMs);
    if (waitMs === null)
      return fail(createFailure("rate_limited", "our own limit is reached", { code: OWN_LIMIT }));
    if (waitMs > 0) await sleep(waitMs);
    deadline += waitMs;
    const answer = await service.transport.send({
      ...request.value,
      method: endpoint.method,
      target: profile.getRoot(endpoint.api) + request.value.target,
      headers: { ...request.value.headers, ...profile.headers },
      remainingMs: Math.max(1, deadline - clock.monotonicMs()),
    });
    const result: PlatformResult<unknown> =
      "kind" in answer ? { ok: false, failure: answer } : readAnswer(endpoint, answer, clock.now());
    if (result.ok) return result;
    const pauseMs = computePause(service, { endpoint, next, last: result.failure });
    if (pauseMs === null || clock.monotonicMs() + pauseMs >= deadline) return fail(result.failure);
    await sleep(pauseMs);
  }
}

/** Null: no further attempt. Only reads are repeated. */
const computePause = (
  { options, limits }: Service,
  { endpoint, next, last }: { readonly endpoint: Endpoint; readonly next: number; readonly last: Failure },
): number | null =>
  endpoint.method === "GET"
    ? computeRetryPause(next, last, { rules: limits, random: options.random() })
    : null;

function createRedactedFailure(
  { area, operation }: Endpoint,
  failure: Failure,
  redact: (text: string) => string,
): PlatformResult<never> {
  const clean = (text: string | null) => (text === null ? null : redact(text));
  const fields = failure.fields.map(({ field, error }) => ({ field: redact(field), error: redact(error) }));
  const message = redact(`${area} ${operation}: ${failure.message}`);
  const { code, correlationId } = failure;
  return {
    ok: false,
    failure: { ...failure, message, code: clean(code), correlationId: clean(correlationId), fields },
  };
}

interface PlatformAddress {
  /** URL of the service, e.g. `https://app.example.com`; its path precedes the prefix. */
  readonly url: string;
  readonly token: string;
  readonly account: string;
  /** Gateway path before the provisioning service's `/api/…`; absent: the dialect's. Other services have fixed ones. */
  readonly prefix?: string;
}

const PREFIX = /^(\/[\w.~-]+)*$/;
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

interface DialectProfile {
  readonly origin: string;
  getRoot(api: ApiName): string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws TollgateError `settings_invalid` for an address, token or account that cannot be used */
function createProfile(
  { url: text, token, account, prefix }: PlatformAddress,
  dialect: DialectName,
): DialectProfile {
  const url = URL.parse(text);
  if (
    url === null ||
    !["http:", "https:"].includes(url.protocol) ||
    url.username !== "" ||
    url.password !== ""
  ) {
    throw createAddressError("the platform's address is not an http(s) address without credentials");
  }
  const base = url.pathname.replace(/\/+$/, "");
  const root = base + (prefix ?? DIALECTS[dialect].prefix);
  if (!PREFIX.test(root) || root.split("/").some((part) => part === "." || part === "..")) {
    throw createAddressError("the platform's prefix is not a plain path such as /gateway/iacm");
  }
  if (!TOKEN.test(token)) throw createAddressError("the platform's token is empty or holds blanks");
  if (!isPlatformId(account)) throw createAddressError("the platform's account is not an account id");
  return {
    origin: url.origin,
    getRoot: (name) => (APIS[name].prefix === null ? root : base + APIS[name].prefix),
    headers: {
      "x-api-key": token,
      [DIALECTS[dialect].accountHeader]: account,
      accept: "application/json",
      "accept-encoding": "identity",
    },
  };
}

const createAddressError = (message: string): TollgateError =>
  new TollgateError("settings_invalid", message, {
    hint: "Set PLATFORM_URL, PLATFORM_TOKEN, PLATFORM_ACCOUNT and PLATFORM_PREFIX as docs/operations/settings.md says.",
  });

/** Calls that an evaluation of a new execution usually makes. */
const CALLS_EACH = 8;
/** Longest time until a retry, in ms: deliveries and the sweep retry many evaluations earlier, and each of these moves the next retries back. */
const LONGEST_RETRY_MS = 10 * MINUTE_MS;
/** Old turns are removed when there are this many. */
const OLD_TURNS = 1_000;

export type CallPace = ReturnType<typeof createCallPace>;

/** Allows at most `perMinute` calls in any 60 seconds, in the order of their requests; below the limit nothing waits. */
export function createCallPace(clock: Clock, firstLimit: number) {
  let perMinute = firstLimit;
  /** When calls began or will begin, by the monotonic clock, oldest first; those before `first` are over a minute old. */
  let turns: number[] = [];
  let first = 0;
  let evaluations = 0;
  let lastRetryMs = 0;

  const getSpacing = (): number => (CALLS_EACH * MINUTE_MS) / perMinute;

  /** Returns the time until one more evaluation has room, in ms. Those that have begun may still make all of their calls. */
  function computeWaitForRoom(): number {
    const calls = CALLS_EACH * (evaluations + 1);
    if (evaluations > 0 && calls > perMinute) return getSpacing();
    return computeWait(Math.min(calls, perMinute));
  }

  function computeWait(calls: number): number {
    const nowMs = clock.monotonicMs();
    forgetBefore(nowMs - MINUTE_MS);
    // Turns that were reserved under a lower limit keep their order.
    const lastMs = turns.at(-1) ?? nowMs;
    const index = turns.length - 1 - (perMinute - calls);
    const blocking = index < first ? undefined : turns[index];
    return Math.max(0, lastMs - nowMs, blocking === undefined ? 0 : blocking + MINUTE_MS - nowMs);
  }

  function forgetBefore(timeMs: number): void {
    while ((turns[first] ?? Number.POSITIVE_INFINITY) <= timeMs) first += 1;
    if (first < OLD_TURNS) return;
    turns = turns.slice(first);
    first = 0;
  }

  return {
    get perMinute() {
      return perMinute;
    },
    /** Allows another number of calls from now on; turns that are reserved stay. */
    setLimit: (limit: number): void => {
      perMinute = limit;
    },
    /** Reserves the turn of one call; returns the wait until then in ms, or null when it exceeds `patienceMs`. */
    reserve: (patienceMs: number): number | null => {
      const waitMs = computeWait(1);
      if (waitMs > patienceMs) return null;
      turns.push(clock.monotonicMs() + waitMs);
      return waitMs;
    },
    /**
     * Begins the calls of an evaluation, until `end`. Null: it may call. Otherwise it makes no call, and is retried after the returned time
     * in ms, ten minutes at most. Retries are spaced at the pace of the limit.
     */
    begin: (): number | null => {
      const waitMs = computeWaitForRoom();
      if (waitMs === 0) {
        evaluations += 1;
        return null;
      }
      const nowMs = clock.monotonicMs();
      const nextMs = Math.max(nowMs + waitMs, lastRetryMs + getSpacing());
      lastRetryMs = nextMs > nowMs + LONGEST_RETRY_MS ? nowMs + waitMs : nextMs;
      return lastRetryMs - nowMs;
    },
    /** Ends the calls of an evaluation that `begin` allowed. */
    end: (): void => {
      evaluations -= 1;
    },
  };
}

/** A read that succeeds only in the right dialect. */
export interface Probe {
  readonly endpoint: Endpoint;
  readonly input: LooseInput;
}

/** The real platform uses `live`; a platform built from the documents uses `neutral`. */
const ORDER: readonly DialectName[] = ["live", "neutral"];

/**
 * Returns a probe that detects the dialect of the called service; null: none exists. Provisioning has a different path and
 * header in each dialect, cost management different words for clouds.
 */
export function probeFor(endpoint: Endpoint, { params = {} }: LooseInput): Probe | null {
  const { org, project } = params;
  if (endpoint.api === "provisioning" && org !== undefined && project !== undefined)
    return { endpoint: getPushDisabled, input: { params: { org, project } } };
  if (endpoint.api === "cost")
    return { endpoint: governance.listPromptResources, input: { query: { cloudProvider: "CLOUD_1" } } };
  return null;
}

/**
 * Makes a function that detects a platform's dialect by the first answered read. Earlier calls use `live`, so that their failures
 * are those of the usual platform.
 */
function createDialectProbe(
  ask: (probe: Probe, dialect: DialectName) => Promise<PlatformResult<unknown>>,
): (endpoint: Endpoint, input: LooseInput) => Promise<DialectName> {
  let found: DialectName | null = null;
  const attempt = shareRunning(async (probe: Probe): Promise<DialectName | null> => {
    for (const dialect of ORDER) {
      const outcome = await ask(probe, dialect);
      if (outcome.ok) return dialect;
      // No answer: the other dialect has the same origin.
      if (outcome.failure.status === null) return null;
    }
    return null;
  });
  return async (endpoint, input) => {
    const probe = found === null ? probeFor(endpoint, input) : null;
    if (probe === null) return found ?? "live";
    found = await attempt(probe);
    return found ?? "live";
  };
}
