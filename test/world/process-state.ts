import { webcrypto } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import timersPromises from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Dispatcher } from "undici";
import { vi } from "vitest";

/** Functions of Node that a test, or a library of tests, may replace, by the name that a failure shows. */
const REPLACEABLE: readonly (readonly [string, object, readonly string[]])[] = [
  ["", globalThis, ["Date", "fetch", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"]],
  ["", globalThis, ["clearTimeout", "clearInterval", "clearImmediate"]],
  ["Date.", Date, ["now"]],
  ["Math.", Math, ["random"]],
  ["performance.", performance, ["now"]],
  ["timersPromises.", timersPromises, ["setTimeout", "setInterval", "setImmediate"]],
  ["crypto.subtle.", Object.getPrototypeOf(webcrypto.subtle), ["importKey", "sign", "encrypt", "decrypt"]],
  ["AbortSignal.", AbortSignal, ["timeout"]],
  ["Socket.prototype.", Socket.prototype, ["connect"]],
  ["process.", process, ["nextTick", "exit", "kill", "emitWarning"]],
  ["process.stdout.", process.stdout, ["write"]],
  ["process.stderr.", process.stderr, ["write"]],
];

/** Events whose listeners decide how the process ends. Libraries listen to others, such as `exit`, from their import on. */
const EVENTS = ["uncaughtException", "uncaughtExceptionMonitor", "unhandledRejection"];

/** A Tollgate that ran in this process listens to them until one arrives; then the process of the tests would not end. */
const SIGNALS = ["SIGINT", "SIGTERM"];

/** Restores one part of the process; the names of what had changed. */
type Restore = () => Promise<readonly string[]>;

const DISPATCHER = Symbol.for("undici.globalDispatcher.2");

/**
 * Remembers what of this process a test could leave changed. The answer restores it and names what had changed, so that the next
 * file, which shares the process, is unharmed.
 */
export function watchProcess(): Restore {
  const restores = [
    restoreTimers,
    reopenNetwork,
    watchFunctions(),
    watchEnvironment(),
    watchDirectory(),
    watchListeners(),
    watchDispatcher(),
  ];
  return async () => {
    const changed: string[] = [];
    for (const restore of restores) changed.push(...(await restore()));
    return changed;
  };
}

async function restoreTimers(): Promise<readonly string[]> {
  if (!vi.isFakeTimers()) return [];
  vi.useRealTimers();
  return ["fake timers"];
}

const { connect } = Socket.prototype;

/** While nock is active, it replaces this function of Node; it is loaded only then. */
async function reopenNetwork(): Promise<readonly string[]> {
  if (Socket.prototype.connect === connect) return [];
  const { default: nock } = await import("nock");
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
  return ["the network, which nock controls"];
}

function watchFunctions(): Restore {
  const functions = REPLACEABLE.flatMap(([prefix, owner, keys]) =>
    keys.map((key) => ({ name: `${prefix}${key}`, owner, key, value: Reflect.get(owner, key) as unknown })),
  );
  return async () => {
    const changed = functions.filter(({ owner, key, value }) => Reflect.get(owner, key) !== value);
    for (const { owner, key, value } of changed) Reflect.set(owner, key, value);
    if (changed.length > 0) syncBuiltinESMExports();
    return changed.map(({ name }) => name);
  };
}

function watchEnvironment(): Restore {
  const before = { ...process.env };
  return async () => {
    const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
    const changed = [...names].filter((name) => before[name] !== process.env[name]);
    for (const name of changed) {
      delete process.env[name];
      if (before[name] !== undefined) process.env[name] = before[name];
    }
    return changed.map((name) => `process.env.${name}`);
  };
}

function watchDirectory(): Restore {
  const before = process.cwd();
  return async () => {
    if (process.cwd() === before) return [];
    process.chdir(before);
    return ["process.cwd()"];
  };
}

function watchListeners(): Restore {
  const before = [...EVENTS, ...SIGNALS].map((event) => ({ event, listeners: process.rawListeners(event) }));
  return async () => {
    const changed = before.filter(
      ({ event, listeners }) => !isDeepStrictEqual(process.rawListeners(event), listeners),
    );
    for (const { event, listeners } of changed) {
      process.removeAllListeners(event);
      for (const listener of listeners) process.on(event, listener as () => void); // they were its listeners
    }
    return changed.filter(({ event }) => EVENTS.includes(event)).map(({ event }) => `listeners of ${event}`);
  };
}

/** undici sets an `Agent` when it is loaded first. */
function watchDispatcher(): Restore {
  const read = (): Dispatcher | undefined => Reflect.get(globalThis, DISPATCHER);
  const before = read();
  return async () => {
    const after = read();
    if (after === before || (before === undefined && after?.constructor.name === "Agent")) return [];
    const undici = await import("undici");
    undici.setGlobalDispatcher(before ?? new undici.Agent());
    return ["undici's global dispatcher"];
  };
}
