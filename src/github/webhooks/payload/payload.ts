import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { TollgateError } from "../../../kernel/errors.ts";
import { parseHost } from "../../../kernel/host.ts";
import { parseSha } from "../../../kernel/ids.ts";
import { findSecretWeakness, WEBHOOK_SECRET_RULE } from "../../../kernel/webhook-secret.ts";
import type { CommitEvent, LaneEvent, RepositoryLabel } from "./lane-event.ts";

/** The operator's settings that reducers need. */
export interface ReduceContext {
  readonly ownAppId: number;
  /** Hosts, as `getHost` gives them, that an execution's address may have. */
  readonly platformHosts: readonly string[];
  /** Apps whose completed check suites trigger an evaluation: the platform's own. */
  readonly platformAppIds: readonly number[];
}

/** `action`: an action that is not handled. `foreign`: of another App. `own`: our own write. `unchanged`: no relevant change. */
export type IgnoreReason = "event" | "action" | "foreign" | "own" | "unchanged" | "malformed";

export type ReducedDelivery =
  | { readonly state: "enqueue"; readonly event: LaneEvent }
  | { readonly state: "ignored"; readonly reason: IgnoreReason };

export type Reducer = (payload: unknown, surroundings: ReduceContext) => ReducedDelivery;

export const laneEvent = (event: LaneEvent): ReducedDelivery => ({ state: "enqueue", event });
export const ignored = (reason: IgnoreReason): ReducedDelivery => ({ state: "ignored", reason });

/** A reducer over a payload of a known shape; any other shape is ignored as malformed. */
export function createReducer<T>(
  schema: z.ZodType<T>,
  reduce: (payload: T, surroundings: ReduceContext) => ReducedDelivery,
): Reducer {
  return (payload, surroundings) => {
    const parsed = schema.safeParse(payload);
    return parsed.success ? reduce(parsed.data, surroundings) : ignored("malformed");
  };
}

export const Id = z.int().positive();
/** Longest label in the record of a delivery, in characters. */
export const Label = z.string().max(255);
export const Sha = z.string().refine((text) => parseSha(text) !== null);

const Repository = z.object({
  id: Id,
  name: Label,
  owner: z.object({ login: Label }),
  updated_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
});
export const Installation = z.object({ id: Id });

/** The part that every delivery about a repository has. */
export const AtRepository = z.object({ repository: Repository, installation: Installation });

export function getRepositoryFields(payload: z.infer<typeof AtRepository>): {
  installationId: number;
  repository: RepositoryLabel;
  statedMs: number | null;
} {
  const { id, name, owner, updated_at: time } = payload.repository;
  return {
    installationId: payload.installation.id,
    repository: { id, owner: owner.login, name },
    statedMs: time === undefined ? null : Date.parse(time),
  };
}

const MAX_PULLS = 10;

/** Numbers of the pull requests in this repository; empty if there are too many, which are then looked up by commit. */
export function selectOwnPulls(
  pulls: readonly { number: number; base: { repo: { id: number } } }[],
  repositoryId: number,
): readonly number[] {
  const numbers = pulls.filter(({ base }) => base.repo.id === repositoryId).map(({ number }) => number);
  return numbers.length > MAX_PULLS ? [] : numbers;
}

export const Pulls = z
  .array(z.object({ number: Id, base: z.object({ repo: z.object({ id: Id }) }) }))
  .default([]);

/** Whether a URL points to the configured platform. */
export function isOnPlatform(url: string | null | undefined, { platformHosts }: ReduceContext): boolean {
  const host = url == null ? null : parseHost(url);
  return host !== null && platformHosts.includes(host);
}

/** Longest URL in the record of a delivery, in characters. */
const MAX_URL = 1_000;

/** Returns the execution that a status or check names, as the event records it. */
export function recordNamedExecution(
  by: "status" | "check",
  posterId: number | undefined,
  { url, surroundings }: { readonly url: string | null | undefined; readonly surroundings: ReduceContext },
): Pick<CommitEvent, "named"> {
  if (url == null || posterId === undefined || url.length > MAX_URL || !isOnPlatform(url, surroundings))
    return {};
  return { named: { by, posterId, url } };
}

/** A check or status with our kind of name triggers an evaluation, which reports it as another poster's. */
export const hasOurCheckName = (name: string): boolean => name.startsWith("tollgate: ");

/**
 * Refuses a webhook secret that could be guessed: with it anyone could speak in GitHub's name. Throws `settings_invalid`,
 * without naming the secret.
 */
export function assertWebhookSecret(secret: string | undefined): asserts secret is string {
  const weakness = findSecretWeakness(secret);
  if (weakness === null) return;
  throw new TollgateError("settings_invalid", `WEBHOOK_SECRET ${weakness}`, {
    hint: `Set WEBHOOK_SECRET to ${WEBHOOK_SECRET_RULE}.`,
  });
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** The header value that GitHub sends with a text. */
export const signText = (secret: string, text: string): string =>
  `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

/** Whether a header has the form of a signature at all: cheap enough to ask before reading a body. */
export const hasSignatureShape = (header: string | undefined): header is string =>
  header !== undefined && SIGNATURE.test(header);

/** Compares what is sent with the signature in its header, piece by piece, so that no part has to be stored. */
export class SignatureCheck {
  readonly #hmac: Hmac;
  readonly #stated: string | undefined;

  constructor(secret: string, header: string) {
    this.#hmac = createHmac("sha256", secret);
    this.#stated = SIGNATURE.exec(header)?.[1];
  }

  update(bytes: Uint8Array): this {
    this.#hmac.update(bytes);
    return this;
  }

  /** Whether exactly the bytes so far were signed with the secret; called once. Takes the same time whichever byte is wrong. */
  isValid(): boolean {
    const digest = this.#hmac.digest();
    return this.#stated !== undefined && timingSafeEqual(digest, Buffer.from(this.#stated, "hex"));
  }
}
