import type { PullKey } from "../../../src/kernel/ids.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { CheckRun } from "../../../src/sandbox/state/checks.ts";
import type { SandboxComment } from "../../../src/sandbox/state/pulls.ts";
import { REPOSITORY } from "../places.ts";
import type { MovableClock } from "../time.ts";

/** What happened on a sandbox GitHub, in order: what people did by a verb, and what the App wrote. */
export type RecordedStep =
  | { readonly atMs: number; readonly verb: string; readonly args: readonly unknown[] }
  | { readonly atMs: number; readonly comment: RecordedComment }
  | { readonly atMs: number; readonly check: RecordedCheck };

export type RecordedComment = Pick<SandboxComment, "id" | "repositoryId" | "number" | "body">;
export type RecordedCheck = Pick<
  CheckRun,
  "id" | "headSha" | "name" | "status" | "conclusion" | "externalId" | "detailsUrl" | "output"
>;

/** In place of the address of the sandbox in recorded texts: each sandbox has its own. */
export const SANDBOX_ADDRESS = "http://sandbox.invalid";

/** Verbs that change nothing. */
const READS = new Set([
  "repository",
  "statuses",
  "checkRuns",
  "comments",
  "notifications",
  "reactions",
  "pullRequest",
  "mergeability",
  "testMerge",
  "groupMergeability",
  "fileText",
]);
/** Time between two things that people do. */
const PAUSE_MS = 60_000;

/** Records a sandbox, on which a minute passes before each verb and none while it acts. */
export class Recorder {
  readonly github: Sandbox;
  readonly #sandbox: Sandbox;
  readonly #clock: MovableClock;
  readonly #steps: RecordedStep[] = [];
  readonly #known = new Set<number>();
  readonly #commits = new Set<string>();

  constructor(sandbox: Sandbox, clock: MovableClock) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.github = new Proxy(sandbox, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== "function" || typeof name !== "string") return member;
        if (READS.has(name) || name === "close") return member;
        return (...args: readonly unknown[]) =>
          this.#act(name, () => Reflect.apply(member, target, args), args);
      },
    });
  }

  #act<T>(verb: string, act: () => T, args: readonly unknown[]): T {
    this.#clock.moves(PAUSE_MS);
    this.#steps.push({ atMs: this.#clock.now(), verb, args: args.map(withoutState) });
    const result = act();
    for (const sha of commitsIn(result)) this.#commits.add(sha);
    return result;
  }

  /** Adds what the App wrote since the last call, in the order of its ids. */
  note(pulls: readonly PullKey[], appId: number): void {
    const atMs = this.#clock.now();
    const comments = pulls
      .flatMap((pull) => this.#sandbox.comments(pull))
      .filter((comment) => comment.appId === appId && !this.#known.has(comment.id));
    for (const { id, repositoryId, number, body } of comments.sort(byId))
      this.#steps.push({ atMs, comment: { id, repositoryId, number, body } });
    const checks = [...this.#commits]
      .flatMap((sha) => this.#sandbox.checkRuns({ repository: REPOSITORY, sha, appId }))
      .filter(({ id }) => !this.#known.has(id));
    for (const check of checks.sort(byId)) this.#steps.push({ atMs, check: reducedCheck(check) });
    for (const { id } of [...comments, ...checks]) this.#known.add(id);
  }

  /** All steps; of what the App wrote, as it is now. */
  steps(): string {
    const current = this.#steps.map((step): RecordedStep => {
      if ("comment" in step) {
        const now = this.#sandbox.comments(step.comment).find(({ id }) => id === step.comment.id);
        return { ...step, comment: { ...step.comment, body: now?.body ?? step.comment.body } };
      }
      if (!("check" in step)) return step;
      const runs = this.#sandbox.checkRuns({ repository: REPOSITORY, sha: step.check.headSha });
      const now = runs.find(({ id }) => id === step.check.id);
      return now === undefined ? step : { ...step, check: reducedCheck(now) };
    });
    const lines = current.map((step) => JSON.stringify(step)).join("\n");
    return `${lines.replaceAll(this.#sandbox.url, SANDBOX_ADDRESS)}\n`;
  }
}

/** The commits that a verb made. */
function commitsIn(result: unknown): readonly string[] {
  if (typeof result !== "object" || result === null) return [];
  const { headSha, after } = { headSha: null, after: null, ...result };
  return [headSha, after].filter((sha) => typeof sha === "string");
}

const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;

const reducedCheck = ({
  id,
  headSha,
  name,
  status,
  conclusion,
  externalId,
  detailsUrl,
  output,
}: CheckRun): RecordedCheck => ({ id, headSha, name, status, conclusion, externalId, detailsUrl, output });

/** Of a pull request that is passed by its whole state, its key. */
function withoutState(argument: unknown): unknown {
  if (typeof argument !== "object" || argument === null || !("headRef" in argument)) return argument;
  if (!("repositoryId" in argument && "number" in argument)) return argument;
  return { repositoryId: argument.repositoryId, number: argument.number };
}
