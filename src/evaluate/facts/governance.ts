import { DAY_MS } from "../../kernel/clock.ts";
import { governance } from "../../platform/contract/governance.ts";
import type { GovernanceCounts, GovernancePrompt } from "../../report/model/context.ts";
import type { ChangeKind, Fact } from "../../report/model/facts.ts";
import type { ContextGrant } from "../run/operator-rules.ts";
import { type ContextQuery, requireRows } from "./context-query.ts";
import { callWithRetry, requireRead, UnreadError, unknown } from "./platform-facts.ts";

/** In ms. Evaluations since this time ago are read. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** In ms. Evaluations of a day that ended longer ago are stale. */
const FRESH_MS = 2 * DAY_MS;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads the governance results of the newest day with evaluations. Absent: there were no evaluations in the
 * last 30 days.
 */
export async function readGovernance({
  platform,
  grant: { clouds },
  operator: { passingStatuses },
  nowMs,
}: ContextQuery): Promise<Fact<GovernanceCounts>> {
  if (clouds.length === 0) return unknown("not_granted");
  const answer = await callWithRetry(platform, governance.countDailyEvaluations, {
    query: { cloudProvider: [...clouds] },
    body: [{ operator: "AFTER", timestamp: nowMs - LOOK_BACK_MS }],
  });
  const days = requireRead(answer).data;
  if (!Object.keys(days).every((day) => DAY.test(day))) return unknown("malformed");
  const day = Object.keys(days).sort().at(-1);
  if (day === undefined) return { state: "absent" };
  const value = countStatuses(day, days[day] ?? {}, passingStatuses);
  const ageMs = nowMs - (Date.parse(`${day}T00:00:00Z`) + DAY_MS);
  return ageMs > FRESH_MS ? { state: "stale", value, ageMs } : { state: "known", value };
}

function countStatuses(
  day: string,
  statuses: Readonly<Record<string, number>>,
  passing: ReadonlySet<string>,
): GovernanceCounts {
  const count = (which: readonly (readonly [string, number])[]) =>
    which.reduce((sum, [, evaluations]) => sum + evaluations, 0);
  const all = Object.entries(statuses);
  return { day, failed: count(all.filter(([status]) => !passing.has(status))), total: count(all), statuses };
}

type Cloud = ContextGrant["clouds"][number];

/** Clouds by the first word of a Terraform resource type. */
const CLOUDS: Readonly<Record<string, Cloud>> = {
  aws: "CLOUD_1",
  awscc: "CLOUD_1",
  azurerm: "CLOUD_2",
  azapi: "CLOUD_2",
  google: "CLOUD_3",
};

/**
 * Governance's names of Terraform resource types: the names of Cloud Custodian, whose rules it evaluates,
 * without the cloud's prefix. A type that is missing here may still have the same name there.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  aws_instance: ["ec2"],
  aws_spot_instance_request: ["ec2"],
  aws_autoscaling_group: ["asg"],
  aws_ami: ["ami"],
  aws_ebs_volume: ["ebs"],
  aws_ebs_snapshot: ["ebs-snapshot"],
  aws_eip: ["elastic-ip", "network-addr"],
  aws_nat_gateway: ["nat-gateway"],
  aws_lb: ["app-elb"],
  aws_alb: ["app-elb"],
  aws_elb: ["elb"],
  aws_db_instance: ["rds"],
  aws_db_snapshot: ["rds-snapshot"],
  aws_rds_cluster: ["rds-cluster"],
  aws_rds_cluster_instance: ["rds"],
  aws_redshift_cluster: ["redshift"],
  aws_dynamodb_table: ["dynamodb-table"],
  aws_elasticache_cluster: ["cache-cluster"],
  aws_elasticache_replication_group: ["elasticache-group"],
  aws_opensearch_domain: ["elasticsearch"],
  aws_elasticsearch_domain: ["elasticsearch"],
  aws_s3_bucket: ["s3"],
  aws_efs_file_system: ["efs"],
  aws_lambda_function: ["lambda"],
  aws_ecs_service: ["ecs-service"],
  aws_eks_cluster: ["eks"],
  aws_eks_node_group: ["eks-nodegroup"],
  aws_emr_cluster: ["emr"],
  aws_cloudwatch_log_group: ["log-group"],
  aws_sagemaker_notebook_instance: ["sagemaker-notebook"],
  azurerm_virtual_machine: ["vm"],
  azurerm_linux_virtual_machine: ["vm"],
  azurerm_windows_virtual_machine: ["vm"],
  azurerm_linux_virtual_machine_scale_set: ["vmss"],
  azurerm_windows_virtual_machine_scale_set: ["vmss"],
  azurerm_managed_disk: ["disk"],
  azurerm_public_ip: ["publicip"],
  azurerm_network_interface: ["networkinterface"],
  azurerm_lb: ["loadbalancer"],
  azurerm_storage_account: ["storage"],
  azurerm_kubernetes_cluster: ["aks"],
  azurerm_mssql_database: ["sqldatabase", "sql-database"],
  azurerm_mssql_server: ["sqlserver", "sql-server"],
  azurerm_cosmosdb_account: ["cosmosdb"],
  azurerm_redis_cache: ["redis"],
  azurerm_service_plan: ["appserviceplan"],
  azurerm_linux_web_app: ["webapp"],
  azurerm_windows_web_app: ["webapp"],
  google_compute_instance: ["instance"],
  google_compute_disk: ["disk"],
  google_compute_snapshot: ["snapshot"],
  google_compute_image: ["image"],
  google_sql_database_instance: ["sql-instance"],
  google_storage_bucket: ["bucket"],
  google_container_cluster: ["gke-cluster"],
  google_container_node_pool: ["gke-nodepool"],
  google_cloudfunctions_function: ["function"],
  google_bigquery_dataset: ["bq-dataset"],
  google_bigquery_table: ["bq-table"],
};

/** Returns the cloud of a Terraform resource type; null: governance does not support it. */
const findCloud = (type: string): Cloud | null => CLOUDS[type.split("_", 1)[0] ?? ""] ?? null;

/**
 * Whether governance's type is this Terraform resource type, by any of its names: `aws.ec2`, `ebs-snapshot`,
 * `aws_instance`.
 */
export function isGovernedAs(type: string, resource: string): boolean {
  const plain = normalizeName(resource.replace(/^(?:aws|awscc|azure|gcp)\./i, ""));
  return [type, ...(NAMES[type] ?? [])].some((known) => normalizeName(known) === plain);
}

const normalizeName = (text: string): string => text.toLowerCase().replaceAll(/[-_ ]/g, "");

/** Most resource types for which rules are read: one call each. */
const MAX_ASKED = 20;
/** Changes after which the resource exists: only then a rule can apply. */
const REMAINING_CHANGES: readonly ChangeKind[] = ["added", "changed", "replaced", "imported"];

/**
 * Reads the rules that governance suggests for the resource types that a pull request changes, in the clouds
 * that the repository may see.
 */
export async function readPrompts(query: ContextQuery): Promise<Fact<readonly GovernancePrompt[]>> {
  const { platform, grant } = query;
  if (grant.clouds.length === 0) return unknown("not_granted");
  const [touched, ...listed] = await Promise.all([
    listRemainingTypes(query),
    ...grant.clouds.map(async (cloud) => {
      const input = { query: { cloudProvider: cloud } };
      return { cloud, answer: await platform.call(governance.listPromptResources, input) };
    }),
  ]);
  const governed = listed.flatMap(({ cloud, answer }) =>
    selectGovernedTypes(cloud, requireRead(answer).data, touched),
  );
  if (governed.length > MAX_ASKED) return unknown("too_large");
  const prompts = await Promise.all(governed.map((type) => readSuggestedPrompts(query, type)));
  return { state: "known", value: prompts.flat() };
}

/** The changed types of resources that exist after the merge. */
async function listRemainingTypes({ stages }: ContextQuery): Promise<readonly string[]> {
  const read = await stages;
  if (read.length === 0) throw new UnreadError("not_read");
  const rows = read.flatMap(requireRows).filter(({ change }) => REMAINING_CHANGES.includes(change));
  return [...new Set(rows.map(({ type }) => type))].sort();
}

/** A resource type by governance's name, and the changed Terraform types that it matches. */
interface GovernedType {
  readonly cloud: Cloud;
  readonly resource: string;
  readonly types: readonly string[];
}

function selectGovernedTypes(
  cloud: Cloud,
  resources: readonly string[],
  touched: readonly string[],
): readonly GovernedType[] {
  const own = touched.filter((type) => findCloud(type) === cloud);
  return [...new Set(resources)]
    .map((resource) => ({ cloud, resource, types: own.filter((type) => isGovernedAs(type, resource)) }))
    .filter(({ types }) => types.length > 0);
}

async function readSuggestedPrompts(
  { platform }: ContextQuery,
  { cloud, resource, types }: GovernedType,
): Promise<readonly GovernancePrompt[]> {
  const answer = await platform.call(governance.listPromptRules, {
    query: { cloudProvider: cloud, resourceType: resource },
  });
  const descriptions = requireRead(answer).data.map(({ description }) => description.trim());
  return [...new Set(descriptions)]
    .filter((description) => description !== "")
    .map((description) => ({ description, resource, types }));
}
