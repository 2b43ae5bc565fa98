import { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock.ts";
import type { Reader } from "../reader.ts";
import type { GitHubAnswer, GitHubUsers } from "./github-users.ts";
import { createUnavailableError } from "./token-renewal.ts";

/** Whose rights are asked for: a session, or a token that calls the API. */
export interface TokenHolder {
  /** Separates the cached answers of one holder from those of all others. */
  readonly key: string;
  getAccessToken(): Promise<string | null>;
  /** Called when GitHub no longer accepts the token. */
  drop(): Promise<void>;
}

/** How long GitHub's answer counts, in ms, from when it was asked. */
export const RIGHTS_MS = 5 * 60_000;
/** Answers in memory; the one that was not used for the longest time goes first. */
const MAX_ANSWERS = 20_000;

interface CachedAnswer<T> {
  readonly askedMs: number;
  readonly answer: Promise<T>;
}

/** What GitHub lets people read, cached for five minutes per holder. Failures are not cached, and no answer means no right. */
export class Rights {
  readonly #clock: Clock;
  readonly #users: Pick<GitHubUsers, "canRead" | "listReadable">;
  readonly #single = new LRUCache<string, CachedAnswer<boolean>>({ max: MAX_ANSWERS });
  readonly #lists = new LRUCache<string, CachedAnswer<ReadonlySet<number>>>({ max: MAX_ANSWERS / 40 });

  constructor(clock: Clock, users: Pick<GitHubUsers, "canRead" | "listReadable">) {
    this.#clock = clock;
    this.#users = users;
  }

  /** Returns the rights of a holder, in the form that readers have them. */
  of(holder: TokenHolder): Pick<Reader, "canRead" | "listReadable"> {
    return {
      canRead: async (repositoryId) => {
        const list = this.#findFresh(this.#lists, holder.key);
        if (list !== null && (await list).has(repositoryId)) return true;
        return this.#ask(this.#single, `${holder.key} ${repositoryId}`, () =>
          request(holder, false, (token) => this.#users.canRead(token, repositoryId)),
        );
      },
      listReadable: () =>
        this.#ask(this.#lists, holder.key, () =>
          request(holder, NOTHING, (token) => this.#users.listReadable(token)),
        ),
    };
  }

  #findFresh<T>(cache: LRUCache<string, CachedAnswer<T>>, key: string): Promise<T> | null {
    const known = cache.get(key);
    return known !== undefined && this.#clock.monotonicMs() - known.askedMs < RIGHTS_MS ? known.answer : null;
  }

  /** Simultaneous callers share one question. */
  #ask<T>(cache: LRUCache<string, CachedAnswer<T>>, key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#findFresh(cache, key);
    if (known !== null) return known;
    const asked = { askedMs: this.#clock.monotonicMs(), answer: ask() };
    cache.set(key, asked);
    asked.answer.catch(() => {
      if (cache.peek(key) === asked) cache.delete(key);
    });
    return asked.answer;
  }
}

const NOTHING: ReadonlySet<number> = new Set();

async function request<T>(
  holder: TokenHolder,
  nothing: T,
  ask: (token: string) => Promise<GitHubAnswer<T>>,
): Promise<T> {
  const token = await holder.getAccessToken();
  if (token === null) return nothing;
  const answer = await ask(token);
  if (answer.ok) return answer.value;
  if (answer.failure.kind !== "unauthorised") throw createUnavailableError(answer.failure.kind);
  await holder.drop();
  return nothing;
}
