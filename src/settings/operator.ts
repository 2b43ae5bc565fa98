import { parseDocument } from "yaml";
import { z } from "zod";
import { describeGlobProblem } from "../kernel/glob.ts";
import { canonicalizeHost } from "../kernel/host.ts";
import { isPlatformId, isScopeName, SCOPE_NAME } from "../kernel/ids.ts";
import { IN_WORDS } from "../kernel/issue-words.ts";
import { WebhookTarget } from "./webhook-target.ts";

/** A host, kept in the form in which hosts are compared. */
const Host = z.string().transform((written, context) => {
  const host = canonicalizeHost(written);
  if (host !== null) return host;
  context.addIssue({
    code: "custom",
    message: "must be a host such as ci.example.com, with the port if there is one",
  });
  return z.NEVER;
});

const NumericId = z.int().positive();
const PlatformId = z.string().refine(isPlatformId, "must be 1 to 128 letters, digits or _ . $ -");
const ScopeName = z.string().refine(isScopeName, `must be ${SCOPE_NAME}`);

const UnitMetric = z.strictObject({
  metric: PlatformId,
  /** The metric is a cost per unit of exactly these workspaces together; left out: how a change of cost moves it is not told. */
  workspaces: z.array(PlatformId).min(1).max(100).optional(),
});

/** A perspective by its id alone, or with the workspaces whose whole cost it shows: then its cost metrics are told as well. */
const Perspective = z.union(
  [
    PlatformId.transform((id) => ({ id, workspaces: undefined })),
    z.strictObject({ id: PlatformId, workspaces: z.array(PlatformId).min(1).max(100) }),
  ],
  { error: "a perspective's id, or { id, workspaces } with 1 to 100 workspaces" },
);

/** The platform's words for clouds, and those that everybody else has for them. */
const CLOUDS = {
  CLOUD_1: "CLOUD_1",
  CLOUD_2: "CLOUD_2",
  CLOUD_3: "CLOUD_3",
  AWS: "CLOUD_1",
  AZURE: "CLOUD_2",
  GCP: "CLOUD_3",
} as const;
const CLOUD_WORDS = Object.keys(CLOUDS) as (keyof typeof CLOUDS)[]; // its own keys
const Cloud = z.enum(CLOUD_WORDS).transform((word) => CLOUDS[word]);

const PipelineGlob = z.string().superRefine((pattern, context) => {
  const problem = describeGlobProblem(pattern);
  if (problem !== null) context.addIssue({ code: "custom", message: `the pattern ${problem}` });
});

/** Whose figures an owner's repositories may see. Repositories are named by GitHub's numeric ids, which survive renames. */
const Grant = z.strictObject({
  owner: NumericId,
  /** Left out: every repository of the owner. */
  repository: NumericId.optional(),
  org: PlatformId,
  /** Left out: every project of the org. */
  project: PlatformId.optional(),
  /** Perspectives whose open anomalies it may see, and, of those with workspaces, the cost metrics. */
  perspectives: z.array(Perspective).max(100).default([]),
  /** Cloud accounts whose recommendations it may see, by the cloud's own ids. */
  cloud_accounts: z.array(z.string().min(1).max(1024)).max(1000).default([]),
  /** Clouds whose governance evaluations and suggested rules it may see: the platform has them per cloud, not per account. */
  governed_clouds: z.array(Cloud).default([]),
  /** Unit metrics that it may see. */
  unit_metrics: z.array(UnitMetric).max(20).default([]),
});

/** The operator's file (`TOLLGATE_SETTINGS`), YAML. */
export const OperatorFile = z.strictObject({
  grants: z.array(Grant).default([]),
  /** Currency of the platform's cost management, which states none itself. */
  cost_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be a currency code such as USD")
    .default("USD"),
  /** Statuses of governance evaluations that count as passed; every other one counts as failed. */
  passing_statuses: z.array(z.string().min(1).max(64)).min(1).default(["SUCCESS"]),
  after_merge: z
    .strictObject({
      /** A merged pull request's estimate is compared with what came of it after so many days; 0: never. */
      compare_after_days: z.int().min(0).max(365).default(7),
      /** True: recommendations that an apply carried out are marked on the platform. */
      mark_recommendations: z.boolean().default(false),
    })
    .default({ compare_after_days: 7, mark_recommendations: false }),
  /**
   * Pipelines that provision nothing (builds, tests), by glob. An execution that a status names and the platform does not list
   * holds the gate; one of these does not.
   */
  other_pipelines: z
    .array(z.strictObject({ org: PlatformId, project: PlatformId.optional(), pipeline: PipelineGlob }))
    .default([]),
  /** Who may claim by a commit status or check that an execution belongs to a commit. */
  trusted_posters: z
    .strictObject({ users: z.array(NumericId).default([]), apps: z.array(NumericId).default([]) })
    .default({ users: [], apps: [] }),
  /** Hosts, beside the platform's own, that appear in the URLs of its statuses (`ci.example.com`, with the port if there is one). */
  platform_hosts: z.array(Host).default([]),
  /** True: comments on public repositories show figures. */
  public_figures: z.boolean().default(false),
  /** Projects of the embedded platform that may not push plan and state data; left out: as an earlier start left it. */
  push_disabled: z.array(z.strictObject({ org: ScopeName, project: ScopeName })).optional(),
  /** Where webhooks of the embedded platform may deliver beside public addresses. */
  webhook_targets: z.strictObject({ allow: z.array(WebhookTarget).default([]) }).default({ allow: [] }),
  /** Word in the names of their headers, `X-<Identity>-Signature`; left out: the dialect's. */
  webhook_identity: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, "must be 1 to 32 letters, digits or -, a letter first")
    .optional(),
  /** Values of the secrets that webhooks of registries name by `secretIdentifier`. */
  webhook_secrets: z.record(PlatformId, z.string().min(16).max(4096)).default({}),
});
export type OperatorFile = z.infer<typeof OperatorFile>;
export type Grant = z.infer<typeof Grant>;

export type OperatorFileResult =
  | { readonly state: "ok"; readonly file: OperatorFile }
  | { readonly state: "invalid"; readonly problems: readonly string[] };

/** Reads the operator's file; every problem at once, each with its place. */
export function parseOperatorFile(text: string): OperatorFileResult {
  const document = parseDocument(text, { uniqueKeys: true, maxAliasCount: 0 } as Parameters<
    typeof parseDocument
  >[1]);
  const syntax = document.errors.map((error) => error.message.split("\n", 1)[0] ?? "not YAML");
  if (syntax.length > 0) return { state: "invalid", problems: syntax };
  const parsed = OperatorFile.safeParse(document.toJS({ maxAliasCount: 0 }) ?? {}, IN_WORDS);
  if (parsed.success) return { state: "ok", file: parsed.data };
  return {
    state: "invalid",
    problems: parsed.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`),
  };
}
