import { z } from "zod";
import { failed, type GitHubResult, succeeded } from "./answer.ts";
import { graphqlAnswer, graphqlRequest } from "./graphql.ts";
import type {
  GraphqlAnswer,
  GraphqlCall,
  InstallationClient,
  RepositorySelection,
  RestCall,
  WriteAnswer,
  WriteOptions,
} from "./installation-client.ts";
import { InstallationTokens } from "./installation-token.ts";
import { type Sender, send } from "./send.ts";
import { WriteLane, type WriteLaneOptions } from "./write-lane.ts";

export interface InstallationParts extends WriteLaneOptions {
  readonly installationId: number;
  readonly appId: number;
  readonly graphqlUrl: string;
  /** An Octokit without credentials: the token goes with each request. */
  readonly sender: Sender;
  readonly asApp: <T>(call: RestCall<T>) => Promise<GitHubResult<T>>;
  readonly slug: () => Promise<GitHubResult<string>>;
}

/** Pauses before the second and the third try of a read, in milliseconds. */
const READ_PAUSES = [300, 1_200] as const;
const SELECTION_AGE_MS = 10 * 60_000;

const Installation = z.object({ repository_selection: z.enum(["all", "selected"]) });
const BotUser = z.object({ id: z.int().positive() });

export class AppInstallation implements InstallationClient {
  readonly installationId: number;
  readonly appId: number;
  readonly #parts: InstallationParts;
  readonly #tokens: InstallationTokens;
  readonly #lane: WriteLane;
  #parkedUntil = Number.NEGATIVE_INFINITY;
  #selection: { readonly value: RepositorySelection; readonly readMs: number } | null = null;
  #botUserId: number | null = null;

  constructor(parts: InstallationParts) {
    this.installationId = parts.installationId;
    this.appId = parts.appId;
    this.#parts = parts;
    const { installationId, clock, asApp } = parts;
    this.#tokens = new InstallationTokens({ installationId, clock, asApp });
    this.#lane = new WriteLane(parts);
  }

  async read<T>(call: RestCall<T>): Promise<GitHubResult<T>> {
    let answer = await this.#send(call);
    for (const pause of READ_PAUSES) {
      if (answer.ok || answer.failure.kind !== "unavailable") return answer;
      await this.#parts.wait(pause);
      answer = await this.#send(call);
    }
    return answer;
  }

  async query<T>(call: GraphqlCall<T>): Promise<GitHubResult<GraphqlAnswer<T>>> {
    const answer = await this.read(graphqlRequest(this.#parts.graphqlUrl, call));
    return answer.ok ? this.#park(graphqlAnswer(answer.value, call)) : answer;
  }

  write<T>(call: RestCall<T>, options: WriteOptions): Promise<WriteAnswer<T>> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<boolean> => {
        try {
          if (!(await options.stillCurrent())) {
            resolve({ ok: "superseded" });
            return false;
          }
          const parkedMs = this.#parkedMs();
          resolve(parkedMs > 0 ? limited(parkedMs) : await this.#send(call));
          return parkedMs <= 0;
        } catch (error) {
          reject(error);
        }
        return true;
      };
      this.#lane.enter({ priority: options.priority, run });
    });
  }

  async repositorySelection(): Promise<GitHubResult<RepositorySelection>> {
    const now = this.#parts.clock.monotonicMs();
    if (this.#selection !== null && now - this.#selection.readMs < SELECTION_AGE_MS) {
      return succeeded(this.#selection.value);
    }
    const answer = await this.#parts.asApp({
      route: "GET /app/installations/{installation_id}",
      parameters: { installation_id: this.installationId },
      answer: Installation,
    });
    if (!answer.ok) return answer;
    this.#selection = { value: answer.value.repository_selection, readMs: now };
    return succeeded(this.#selection.value);
  }

  async botUserId(): Promise<GitHubResult<number>> {
    if (this.#botUserId !== null) return succeeded(this.#botUserId);
    const slug = await this.#parts.slug();
    if (!slug.ok) return slug;
    const parameters = { username: `${slug.value}[bot]` };
    const answer = await this.read({ route: "GET /users/{username}", parameters, answer: BotUser });
    if (answer.ok) this.#botUserId = answer.value.id;
    return answer.ok ? succeeded(answer.value.id) : answer;
  }

  /** Clears token and coverage; a pause and waiting writes stay. */
  forget(): void {
    this.#tokens.forget();
    this.#selection = null;
  }

  async #send<T>(call: RestCall<T>): Promise<GitHubResult<T>> {
    const parkedMs = this.#parkedMs();
    if (parkedMs > 0) return limited(parkedMs);
    const first = await this.#sendOnce(call);
    // A 401 proves that nothing happened, so one attempt with a new token is safe for writes too.
    if (first.ok || first.failure.kind !== "unauthorised") return this.#park(first);
    return this.#park(await this.#sendOnce(call));
  }

  async #sendOnce<T>(call: RestCall<T>): Promise<GitHubResult<T>> {
    const token = await this.#tokens.token();
    if (!token.ok) return token;
    const answer = await send(this.#parts.sender, call, token.value.token);
    if (!answer.ok && answer.failure.kind === "unauthorised") this.#tokens.reject(token.value);
    return answer;
  }

  readonly #parkedMs = (): number => this.#parkedUntil - this.#parts.clock.monotonicMs();

  #park<T>(answer: GitHubResult<T>): GitHubResult<T> {
    if (answer.ok || answer.failure.retryAfterMs === null) return answer;
    const until = this.#parts.clock.monotonicMs() + answer.failure.retryAfterMs;
    this.#parkedUntil = Math.max(this.#parkedUntil, until);
    return answer;
  }
}

function limited(retryAfterMs: number): GitHubResult<never> {
  const answer = failed("rate_limited", "waiting for the end of a rate limit");
  return answer.ok ? answer : { ok: false, failure: { ...answer.failure, retryAfterMs } };
}
