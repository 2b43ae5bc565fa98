import { z } from "zod";
import { parseSha, type Sha } from "../../kernel/ids.ts";

const Id = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number);
const Label = z.string().min(1).max(1024);

/**
 * What GitHub states about the job that an id token was issued to (docs.github.com, "OpenID Connect
 * reference"). Names are labels; the ids decide.
 */
export const JobClaims = z
  .object({
    /** Identifies the id token. */
    jti: Label,
    repository_id: Id,
    repository_owner_id: Id,
    /** `owner/name`. */
    repository: Label,
    /** The commit of the workflow run; for `pull_request` the test merge of base and head, not the head. */
    sha: z.string().transform((text, context): Sha => {
      const sha = parseSha(text);
      if (sha !== null) return sha;
      context.addIssue({ code: "custom", message: "is not a full commit id" });
      return z.NEVER;
    }),
    /** `refs/pull/7/merge` for `pull_request`, otherwise a branch or a tag. */
    ref: Label,
    event_name: Label,
    /** File and ref of the workflow: `acme/shop/.github/workflows/plan.yml@refs/heads/main`. */
    workflow_ref: Label.optional(),
    run_id: Label,
  })
  .transform(({ repository_id: repositoryId, repository_owner_id: ownerId, ...claims }) => ({
    id: claims.jti,
    repositoryId,
    ownerId,
    repository: claims.repository,
    sha: claims.sha,
    ref: claims.ref,
    event: claims.event_name,
    workflowRef: claims.workflow_ref ?? null,
    runId: claims.run_id,
  }));
export type JobClaims = Readonly<z.infer<typeof JobClaims>>;
