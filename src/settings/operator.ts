import { isIP } from "node:net";
import { z } from "zod";
import { DAY_MS } from "../kernel/clock.ts";
import { FiscalYearStart } from "../kernel/fiscal-periods.ts";
import { describeGlobProblem } from "../kernel/glob.ts";
import { canonicalizeHost } from "../kernel/host.ts";
import { isPlatformId, isScopeName, SCOPE_NAME } from "../kernel/ids.ts";
import { EXPECTATIONS } from "../kernel/parse-options.ts";
import { createMapping, listSchemaFlaws } from "../kernel/schema-problems.ts";
import { byPlace, createFlaw, type FileProblem, readYaml, type ValuePath } from "../kernel/yaml-tree.ts";
import { AccountId, AppId, type FindId, formatName, type NamedId, RepositoryId } from "./named-ids.ts";
import { Notifications, resolveEnvironment } from "./notification-targets.ts";

/** A number of days such as `400d`, at least `least`; parsed to ms. */
const days = (least: number) => {
  const words = `a number of days such as ${least}d or more`;
  return z
    .string(words)
    .regex(/^[1-9]\d{0,4}d$/, { error: words, abort: true })
    .transform((text) => Number(text.slice(0, -1)) * DAY_MS)
    .refine((ms) => ms >= least * DAY_MS, `at least ${least}d`);
};

/**
 * How long data is kept that nothing needs any longer, in ms. What open pull requests rest on is kept however old it is. The least
 * times: for two weeks after a merge, the changes of applied executions are read; GitHub redelivers within three days.
 */
export const Retention = createMapping({
  /** Evaluations and checks of closed pull requests, and executions of the embedded platform with their costs. */
  evaluations: days(31).prefault("400d"),
  /** Uploaded change rows of the embedded platform, and the bot's copies of the facts of ended executions. */
  plan_rows: days(15).prefault("31d"),
  /** GitHub's deliveries, after they were processed. */
  deliveries: days(3).prefault("7d"),
}).refine(({ evaluations, plan_rows }) => evaluations >= plan_rows, {
  path: ["evaluations"],
  error: "at least as long as plan_rows",
});
export type Retention = z.infer<typeof Retention>;

/** A host, stored in the form in which hosts are compared. */
const Host = z.string().transform((text, context) => {
  const host = canonicalizeHost(text);
  if (host !== null) return host;
  context.addIssue({
    code: "custom",
    message: "a host such as ci.example.com, with the port if there is one",
  });
  return z.NEVER;
});

/** A team as people name it: the organisation's login and the team's slug. */
const TeamName = z
  .string()
  .regex(/^[A-Za-z\d](?:[A-Za-z\d-]{0,38})\/[A-Za-z\d_-]{1,255}$/, "organisation/team, by the team's slug");
const PlatformId = z.string().refine(isPlatformId, "1 to 128 letters, digits or _ . $ -");
const ScopeName = z.string().refine(isScopeName, `${SCOPE_NAME}`);

const UnitMetric = createMapping({
  metric: PlatformId,
  /** The metric is a cost per unit of exactly these workspaces together. Absent: the effect of a cost change on the metric is unknown. */
  workspaces: z.array(PlatformId).min(1).max(100).optional(),
});

/** A perspective by its id, or with the workspaces whose whole cost it covers: then its cost metrics are shown too. */
const Perspective = z.union(
  [
    PlatformId.transform((id) => ({ id, workspaces: undefined })),
    createMapping({ id: PlatformId, workspaces: z.array(PlatformId).min(1).max(100) }),
  ],
  { error: "a perspective's id, or { id, workspaces } with 1 to 100 workspaces" },
);

/** The platform's names of clouds, with their common names. */
const CLOUDS = {
  CLOUD_1: "CLOUD_1",
  CLOUD_2: "CLOUD_2",
  CLOUD_3: "CLOUD_3",
  AWS: "CLOUD_1",
  AZURE: "CLOUD_2",
  GCP: "CLOUD_3",
} as const;
const CLOUD_WORDS = Object.keys(CLOUDS) as (keyof typeof CLOUDS)[]; // the object's own keys
const Cloud = z.enum(CLOUD_WORDS).transform((word) => CLOUDS[word]);

const PipelineGlob = z.string().superRefine((pattern, context) => {
  const problem = describeGlobProblem(pattern);
  if (problem !== null) context.addIssue({ code: "custom", message: `a pattern; this one ${problem}` });
});

/** Which platform data the repositories of an owner may show. */
const Grant = createMapping({
  owner: AccountId,
  /** Absent: every repository of the owner. */
  repository: RepositoryId.optional(),
  org: PlatformId,
  /** Absent: every project of the org. */
  project: PlatformId.optional(),
  /** Perspectives whose open anomalies may be shown and, for those with workspaces, their cost metrics. */
  perspectives: z.array(Perspective).max(100).default([]),
  /** Cloud accounts whose recommendations may be shown, by the cloud's own ids. */
  cloud_accounts: z.array(z.string().min(1).max(1024)).max(1000).default([]),
  /** Clouds whose governance evaluations and suggested rules may be shown: the platform groups them per cloud, not per account. */
  governed_clouds: z.array(Cloud).default([]),
  /** Unit metrics that may be shown. */
  unit_metrics: z.array(UnitMetric).max(20).default([]),
});

const HOST = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;

/** Whether a text is an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
  return longest > 0 && isPrefix && more.length === 0;
}

/** Whether a text is a network, or a host such as `hooks.internal` or `*.internal`. */
const isTarget = (text: string): boolean => isNetwork(text) || (HOST.test(text) && !/^[0-9.]+$/.test(text));

/** A non-public host or network that webhooks may reach. */
const WebhookTarget = z
  .string()
  .refine(
    isTarget,
    "an address, a network such as 10.0.0.0/8, or a host such as hooks.internal or *.internal",
  );

const OperatorKeys = createMapping({
  grants: z.array(Grant).default([]),
  /** Currency of the platform's cost management, whose amounts have no currency code. */
  cost_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "a currency code such as USD")
    .default("USD"),
  /** Fiscal years start on this day, `MM-DD`; their quarters follow. */
  fiscal_year_starts: FiscalYearStart.default("01-01"),
  /** Statuses of governance evaluations that count as passed; every other one counts as failed. */
  passing_statuses: z.array(z.string().min(1).max(64)).min(1).default(["SUCCESS"]),
  after_merge: createMapping({
    /** A merged pull request's estimate is compared with the applied result after this number of days; 0: never. */
    compare_after_days: z.int().min(0).max(365).default(7),
    /** True: recommendations that an applied execution carried out are marked on the platform. */
    mark_recommendations: z.boolean().default(false),
    /** True: open anomalies that an allowed and applied increase explains are marked as expected on the platform. */
    mark_expected_anomalies: z.boolean().default(false),
  }).prefault({}),
  /**
   * Pipelines that provision nothing (builds, tests), as globs. An execution that a status names and the
   * platform does not list blocks the merge gate, unless its pipeline matches.
   */
  other_pipelines: z
    .array(createMapping({ org: PlatformId, project: PlatformId.optional(), pipeline: PipelineGlob }))
    .default([]),
  /** Accounts whose commit statuses and checks may link an execution to a commit. */
  trusted_posters: createMapping({
    users: z.array(AccountId).default([]),
    apps: z.array(AppId).default([]),
  }).default({ users: [], apps: [] }),
  /** People who may see the operator's pages: GitHub's user ids, and teams whose members they are. */
  admins: createMapping({
    users: z.array(AccountId).max(1000).default([]),
    teams: z.array(TeamName).max(20).default([]),
  }).default({ users: [], teams: [] }),
  /** Further hosts that appear in the URLs of the platform's statuses (`ci.example.com`, with the port if there is one). */
  platform_hosts: z.array(Host).default([]),
  /** True: comments on public repositories show amounts. */
  public_figures: z.boolean().default(false),
  /** Projects of the embedded platform that may not push plan and state data. Absent: unchanged since an earlier start. */
  push_disabled: z.array(createMapping({ org: ScopeName, project: ScopeName })).optional(),
  /** Non-public addresses that webhooks of the embedded platform may be delivered to. */
  webhook_targets: createMapping({ allow: z.array(WebhookTarget).default([]) }).default({ allow: [] }),
  /** Word in the names of the webhook headers, `X-<Identity>-Signature`; absent: the dialect's. */
  webhook_identity: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, "1 to 32 letters, digits or -, a letter first")
    .optional(),
  retention: Retention.prefault({}),
  notifications: Notifications,
  /** Values of the secrets that registry webhooks name by `secretIdentifier`. */
  webhook_secrets: z.record(PlatformId, z.string().min(16).max(4096)).default({}),
});

/** The operator's file (`TOLLGATE_SETTINGS`), YAML. */
export const OperatorFile = OperatorKeys.refine(
  ({ retention, after_merge }) => retention.evaluations > after_merge.compare_after_days * DAY_MS,
  { path: ["retention", "evaluations"], error: "longer than after_merge.compare_after_days" },
);
export type OperatorFile = z.infer<typeof OperatorFile>;

export type OperatorFileResult =
  | { readonly state: "ok"; readonly file: OperatorFile }
  | { readonly state: "invalid"; readonly problems: readonly FileProblem[] };

/** Most tokens of an operator's file: thousands of grants. */
const MAX_PIECES = 1_000_000;

/**
 * Parses the operator's file. `environment`: the variables that targets of notifications refer to; null: the targets are left out.
 * Reports all problems at once, in the order of their places; none quotes an address or a secret.
 */
export function parseOperatorFile(
  text: string,
  environment: Readonly<Record<string, string | undefined>> | null = {},
): OperatorFileResult {
  const tree = readYaml(text, MAX_PIECES);
  const { file, unset } = resolveEnvironment(tree.value ?? {}, environment);
  const parsed = OperatorFile.safeParse(file, EXPECTATIONS);
  const missing = unset.map(({ path, name }) => createFlaw(tree, path, `${name} is not set`));
  const places = new Set(missing.map(({ path }) => path));
  // A text in the place of a file may be that of another one, such as a key.
  const isHidden = (path: ValuePath) =>
    isSecret(path) || (path.length === 0 && typeof tree.value === "string");
  const others = parsed.error === undefined ? [] : listSchemaFlaws(parsed.error, tree, isHidden);
  const flaws = [...tree.flaws, ...missing, ...others.filter(({ path }) => !places.has(path))];
  if (parsed.success && flaws.length === 0) return { state: "ok", file: parsed.data };
  return { state: "invalid", problems: flaws.toSorted(byPlace) };
}

const SHOWN_MEMBERS: readonly PropertyKey[] = [
  ...["name", "kind", "on", "above", "off_by", "owners", "repositories", "teams", "digest", "per_minute"],
];

/** Whether a value may be an address or a secret, by its path. */
const isSecret = ([first, , , member = ""]: ValuePath): boolean =>
  first === "webhook_secrets" || (first === "notifications" && !SHOWN_MEMBERS.includes(member));

/** The operator's file with ids alone. */
export type OperatorSettings = ReturnType<typeof resolveNames>;
export type Grant = OperatorSettings["grants"][number];

/**
 * Puts ids in the place of names. What has an unknown name is left out: such a grant, trusted poster or admin, and the whole target of
 * notifications, which without its limits would be notified of everything.
 */
export function resolveNames(file: OperatorFile, find: FindId = () => undefined) {
  const resolve = (kind: NamedId["kind"], id: number | string): readonly number[] => {
    const found = typeof id === "number" ? id : find({ kind, name: id.toLowerCase() });
    return found === undefined ? [] : [found];
  };
  const resolveAll = (kind: NamedId["kind"], ids: readonly (number | string)[]) =>
    ids.flatMap((id) => resolve(kind, id));
  return {
    ...file,
    grants: file.grants.flatMap(({ owner: ownerName, repository: repositoryName, ...grant }) => {
      const [owner] = resolve("account", ownerName);
      const [repository] = repositoryName === undefined ? [] : resolve("repository", repositoryName);
      const isWhole = repositoryName === undefined || repository !== undefined;
      return owner === undefined || !isWhole ? [] : [{ ...grant, owner, repository }];
    }),
    trusted_posters: {
      users: resolveAll("account", file.trusted_posters.users),
      apps: resolveAll("app", file.trusted_posters.apps),
    },
    admins: {
      users: resolveAll("account", file.admins.users),
      teams: file.admins.teams.flatMap((name) => {
        const [organisation = "", slug = ""] = name.split("/");
        const id = /^\d+$/.test(organisation) ? Number(organisation) : organisation;
        return resolve("account", id).map((organisationId) => ({ organisationId, slug }));
      }),
    },
    notifications: {
      targets: file.notifications.targets.flatMap((target) => {
        const owners = resolveAll("account", target.owners);
        const repositories = resolveAll("repository", target.repositories);
        const isWhole =
          owners.length === target.owners.length && repositories.length === target.repositories.length;
        return isWhole ? [{ ...target, owners, repositories }] : [];
      }),
    },
  };
}

/** The names in the operator's file, each once. */
export function listNames(file: OperatorFile): readonly NamedId[] {
  const names = new Map<string, NamedId>();
  resolveNames(file, (named) => {
    names.set(formatName(named), named);
    return 1;
  });
  return [...names.values()];
}
