import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { isPlatformId, isScopeName, SCOPE_NAME } from "../../kernel/ids.ts";
import { findRepository, findRepositoryByName, type Repository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createToken, revokeToken, type TokenGrant } from "../../store/tokens.ts";
import { readJson } from "../read-json.ts";
import { createLocalAccess, type LocalConnection } from "./access.ts";

const PlatformId = z.string().refine(isPlatformId, "expected 1 to 128 letters, digits or _ . $ -");
const ScopeName = z.string().refine(isScopeName, `expected ${SCOPE_NAME}`);

/** The request of `tollgate token create`. Without a repository the token is valid for the whole account. */
export const TokenRequest = z.strictObject({
  purpose: z.enum(["api", "import", "notify"]),
  /** `owner/name` or GitHub's numeric id. */
  repository: z.string().min(1).nullable(),
  /** Defaults of the embedded platform: org = owner, project = repository. */
  org: ScopeName.nullable(),
  project: ScopeName.nullable(),
  /** An account of the embedded platform, which serves every account that has tokens; absent: the operator's own. */
  account: PlatformId.optional(),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

export type TokenResult =
  | { readonly state: "created"; readonly id: string; readonly secret: string }
  | { readonly state: "refused"; readonly message: string; readonly hint: string };

export interface TokenDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly account: string;
}

/** Creates a token; refuses a repository that the App has never seen. */
export async function grantToken(deps: TokenDeps, request: TokenRequest): Promise<TokenResult> {
  const { account = deps.account } = request;
  if (request.purpose === "api") return createGrantedToken(deps, { purpose: "api", account });
  if (request.repository === null) {
    return {
      state: "refused",
      message: "a repository is missing",
      hint: "Name it with --repository OWNER/NAME.",
    };
  }
  const repository = await resolveRepository(deps.db, request.repository);
  if (repository === undefined) {
    return {
      state: "refused",
      message: `the repository ${request.repository} is not known here`,
      hint: "Install the GitHub App on it first, or check the spelling (OWNER/NAME or GitHub's numeric id).",
    };
  }
  return createGrantedToken(deps, {
    purpose: request.purpose,
    account,
    repositoryId: repository.repository_id,
    org: request.org ?? repository.owner_login,
    project: request.project ?? repository.name,
  });
}

function resolveRepository(db: Kysely<Tables>, repository: string): Promise<Repository | undefined> {
  return /^\d+$/.test(repository)
    ? findRepository(db, Number(repository))
    : findRepositoryByName(db, repository);
}

async function createGrantedToken({ db, clock }: TokenDeps, grant: TokenGrant): Promise<TokenResult> {
  return { state: "created", ...(await createToken(db, grant, clock)) };
}

const LIMITS = { maxBytes: 4 * 1024, timeoutMs: 5_000 } as const;

/**
 * `POST /tollgate/v1/tokens` creates a token, `DELETE /tollgate/v1/tokens/{id}` revokes one. The command line
 * of the same machine uses them while this process has the embedded database open.
 */
export function createTokenRoute(deps: TokenDeps, key: string): Hono<{ Bindings: LocalConnection }> {
  const app = new Hono<{ Bindings: LocalConnection }>();
  app.use("/tollgate/v1/tokens/:id?", createLocalAccess(key));
  app.delete("/tollgate/v1/tokens/:id", async (context) => {
    const revoked = await revokeToken(deps.db, context.req.param("id"), deps.clock);
    return context.json({ revoked }, 200);
  });
  return app.post("/tollgate/v1/tokens", async (context) => {
    const body = await readJson(context.req.raw, LIMITS);
    const request = TokenRequest.safeParse(body.state === "read" ? body.value : undefined);
    if (!request.success) return context.json({ message: "not a token request" }, 400);
    return context.json(await grantToken(deps, request.data), 200);
  });
}
