import { parseArgs } from "node:util";

/** One load. The defaults are a short run; `docs/scale.md` has the command of the long one. */
export interface LoadParameters {
  readonly organisations: number;
  readonly repositories: number;
  readonly pulls: number;
  /** Deliveries per second that people and CI cause; what GitHub also sends, such as `push`, comes on top. */
  readonly rate: number;
  readonly seconds: number;
  /** Processes of `tollgate start` and `tollgate worker`. */
  readonly web: number;
  readonly workers: number;
  /** One process is killed this often, in seconds, and started again; 0: none. */
  readonly killEvery: number;
  /** Every so many deliveries, one is lost on its way and delivered again at the end; 0: none. */
  readonly loseEvery: number;
  /** Of each call to GitHub, and to the platform, in ms. */
  readonly latency: number;
  readonly platformLatency: number;
  /** Calls per hour that GitHub allows an installation. */
  readonly hourlyLimit: number;
  /** Longest time until everything is processed after the last delivery, in seconds. */
  readonly drain: number;
  readonly seed: number;
  /** What is run as `tollgate`: the sources, or what `npm run build` made of them. */
  readonly program: string;
}

const DEFAULTS = {
  organisations: 10,
  repositories: 20,
  pulls: 200,
  rate: 10,
  seconds: 60,
  web: 2,
  workers: 2,
  killEvery: 20,
  loseEvery: 0,
  latency: 100,
  platformLatency: 50,
  hourlyLimit: 5_000,
  drain: 300,
  seed: 1,
};

type Name = keyof typeof DEFAULTS;
const NAMES = Object.keys(DEFAULTS) as Name[]; // of a literal: exactly its own names

/** Reads `--repositories 500 --pulls 5000 …` and `--program dist/cli/tollgate.js`. Throws on an unknown name and on a value that is no number. */
export function readLoadParameters(args: readonly string[]): LoadParameters {
  const options = Object.fromEntries(
    [...NAMES, "program"].map((name) => [name, { type: "string" } as const]),
  );
  const { values } = parseArgs({ args: [...args], options });
  const given = NAMES.flatMap((name) =>
    values[name] === undefined ? [] : [[name, toNumber(name, values[name])] as const],
  );
  const program = String(values["program"] ?? "src/cli/main.ts");
  return { ...DEFAULTS, ...Object.fromEntries(given), program };
}

function toNumber(name: string, value: unknown): number {
  const number = Number(value);
  if (Number.isFinite(number) && number >= 0) return number;
  throw new Error(`--${name}: expected a number, found "${value}"`);
}
