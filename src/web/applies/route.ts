import { Hono } from "hono";
import { TollgateError } from "../../kernel/errors.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import { hasRight } from "../../store/rights.ts";
import { recordTokenUse, type Token, verifyToken } from "../../store/tokens.ts";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { isJobOfBranch, type VerifyIdToken } from "../oidc/verify-id-token.ts";
import { readBody, refuse } from "../read-json.ts";
import { APPLIES_PATH, type ApplyAnswer, ApplyRequest } from "./contract.ts";
import { type VerifyApplyDeps, verifyApply } from "./verify-apply.ts";

export interface AppliesRouteDeps extends VerifyApplyDeps {
  /** Only tokens of this account are valid. */
  readonly account: string;
  /** Verifies id tokens of CI jobs; null: this server accepts none. */
  readonly verifyIdToken: VerifyIdToken | null;
  /** Throws `github_failed` when GitHub gives no answer. */
  readonly readDefaultBranch: (repository: Repository) => Promise<string>;
}

/** Calls per minute and repository. */
const MAX_PER_MINUTE = 120;
const BODY = {
  schema: ApplyRequest,
  limits: { maxBytes: 2 * 1024 * 1024, timeoutMs: 10_000 },
  hint: "Send repository, sha, plan and tolerance as JSON.",
} as const;

/** Who asks: for which repository, under which name, and for which commits. */
interface Caller {
  readonly repositoryId: number;
  readonly actor: string;
  /** Null: an id token. */
  readonly token: Token | null;
  /** Whether it may ask about a commit. */
  readonly covers: (repository: Repository, sha: string) => Promise<boolean>;
}

/** `POST /api/v1/applies`: verifies the plan of a job that applies. A token or id token asks about its own repository only. */
export function createAppliesRoute(deps: AppliesRouteDeps): Hono {
  const isWithinRate = createBearerLimiter(deps.clock, MAX_PER_MINUTE);
  return new Hono().post(APPLIES_PATH, async ({ req }) => {
    try {
      const caller = await findCaller(deps, req.raw);
      if (!isWithinRate(String(caller.repositoryId)))
        throw refuse(429, "too many requests", "Wait a minute.");
      return Response.json(await answer(deps, caller, await readBody(req.raw, BODY)));
    } catch (error) {
      if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
      throw refuse(503, "GitHub does not answer about the commit", "Repeat it in a minute.");
    }
  });
}

async function answer(
  deps: AppliesRouteDeps,
  { repositoryId, actor, token, covers }: Caller,
  { repository: named, ...request }: ApplyRequest,
): Promise<ApplyAnswer> {
  const repository = await findRepository(deps.db, repositoryId);
  const label = `${repository?.owner_login}/${repository?.name}`.toLowerCase();
  const isOwn = typeof named === "number" ? named === repositoryId : named.toLowerCase() === label;
  if (repository === undefined || !isOwn)
    throw refuse(403, "the token is not valid for this repository", "Use a token of the repository itself.");
  if (!(await covers(repository, request.sha)))
    throw refuse(
      403,
      "the token is not valid for this commit",
      "Name the commit that the job runs for, or run the job's workflow from the default branch.",
    );
  if (token !== null) await recordTokenUse(deps.db, token, deps.clock);
  return verifyApply(deps, { repository, actor }, request);
}

async function findCaller(
  { db, clock, account, verifyIdToken, readDefaultBranch }: AppliesRouteDeps,
  { headers }: Request,
): Promise<Caller> {
  const [, bearer = ""] = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const text = headers.get("x-api-key") ?? bearer;
  const token = await verifyToken(db, text, clock);
  if (token !== null && token.account === account && hasRight(token, "apply")) {
    const { repositoryId, name, id, headSha } = token;
    return {
      repositoryId,
      token,
      actor: `token ${name ?? id}`,
      covers: async (_, sha) => headSha === null || headSha === sha,
    };
  }
  if (verifyIdToken === null || text.startsWith("tg_") || text === "")
    throw refuse(
      401,
      "no valid token of a repository",
      "Send one of `tollgate token create --repository OWNER/NAME --for notify`, or the job's id token, as Authorization: Bearer …",
    );
  const claims = await verifyIdToken(text);
  return {
    repositoryId: claims.repository_id,
    token: null,
    actor: `GitHub Actions run ${claims.run_id}`,
    // The workflow of another branch is written by whoever may push that branch, so it speaks for its own commit only.
    covers: async (repository, sha) =>
      claims.sha === sha || isJobOfBranch(claims, await readDefaultBranch(repository)),
  };
}
