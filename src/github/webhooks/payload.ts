import { z } from "zod";
import { hostOf } from "../../kernel/host.ts";
import { parseSha } from "../../kernel/ids.ts";
import type { RepositoryLabel, WakeEvent } from "./wake-event.ts";

/** What the reducers know of the operator's settings. */
export interface Surroundings {
  readonly ownAppId: number;
  /** Hosts, as `hostOf` gives them, that an execution's address may have. */
  readonly platformHosts: readonly string[];
  /** Apps whose finished check suites are worth a look: the platform's own. */
  readonly platformAppIds: readonly number[];
}

/** `action`: an action nobody here waits for. `foreign`: someone else's. `own`: our own doing. `unchanged`: nothing that matters changed. */
export type Ignored = "event" | "action" | "foreign" | "own" | "unchanged" | "malformed";

export type Reduced =
  | { readonly state: "wake"; readonly event: WakeEvent }
  | { readonly state: "ignored"; readonly reason: Ignored };

export type Reducer = (payload: unknown, surroundings: Surroundings) => Reduced;

export const wake = (event: WakeEvent): Reduced => ({ state: "wake", event });
export const ignored = (reason: Ignored): Reduced => ({ state: "ignored", reason });

/** A reducer over a payload of a known shape; any other shape is ignored as malformed. */
export function reducer<T>(
  schema: z.ZodType<T>,
  reduce: (payload: T, surroundings: Surroundings) => Reduced,
): Reducer {
  return (payload, surroundings) => {
    const parsed = schema.safeParse(payload);
    return parsed.success ? reduce(parsed.data, surroundings) : ignored("malformed");
  };
}

export const Id = z.int().positive();
/** Labels are bounded so that a record of a delivery stays small. In characters. */
export const Label = z.string().max(255);
export const Sha = z.string().refine((text) => parseSha(text) !== null);

const Repository = z.object({ id: Id, name: Label, owner: z.object({ login: Label }) });
export const Installation = z.object({ id: Id });

/** What every delivery about a repository has. */
export const AtRepository = z.object({ repository: Repository, installation: Installation });

export function place(payload: z.infer<typeof AtRepository>): {
  installationId: number;
  repository: RepositoryLabel;
} {
  const { id, name, owner } = payload.repository;
  return { installationId: payload.installation.id, repository: { id, owner: owner.login, name } };
}

const MAX_PULLS = 10;

/** Numbers of pull requests in this very repository; too many are none, and looked up by commit. */
export function ownPulls(
  pulls: readonly { number: number; base: { repo: { id: number } } }[],
  repositoryId: number,
): readonly number[] {
  const numbers = pulls.filter(({ base }) => base.repo.id === repositoryId).map(({ number }) => number);
  return numbers.length > MAX_PULLS ? [] : numbers;
}

export const Pulls = z
  .array(z.object({ number: Id, base: z.object({ repo: z.object({ id: Id }) }) }))
  .default([]);

/** Whether an address points to the configured platform. */
export function isOnPlatform(url: string | null | undefined, { platformHosts }: Surroundings): boolean {
  const host = url == null ? null : hostOf(url);
  return host !== null && platformHosts.includes(host);
}

/** A check or status that takes our kind of name is looked at once, to be reported as somebody else's. */
export const bearsOurName = (name: string): boolean => name.startsWith("tollgate: ");
