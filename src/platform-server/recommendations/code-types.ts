import type { CloudProvider } from "../../platform/contract/shapes/fields.ts";

/** Clouds whose resource identifiers in infrastructure code can be parsed. */
export type MatchedCloud = Extract<CloudProvider, "CLOUD_1" | "CLOUD_2" | "CLOUD_3" | "CLUSTER">;

/** By the last part of a provider's registry address. */
const PROVIDERS: Readonly<Record<string, MatchedCloud>> = {
  aws: "CLOUD_1",
  awscc: "CLOUD_1",
  azurerm: "CLOUD_2",
  azapi: "CLOUD_2",
  google: "CLOUD_3",
  "google-beta": "CLOUD_3",
  kubernetes: "CLUSTER",
  "kubernetes-alpha": "CLUSTER",
};

const VIRTUAL_MACHINE = ["AZURE_VM", "AZURE_INSTANCE"];
const DATABASE = ["AZURE_DATABASE"];
const APP_SERVICE = ["AZURE_APP_SERVICE"];
const WORKLOAD = ["WORKLOAD"];
const NODE_POOL = ["NODE_POOL"];

/** Which kinds of recommendation are about a resource type of the code. A type that is missing here is not known. */
const KINDS: Readonly<Record<MatchedCloud, Readonly<Record<string, readonly string[]>>>> = {
  CLOUD_1: {
    aws_instance: ["EC2_INSTANCE", "EC2_INSTANCE_V2"],
    aws_spot_instance_request: ["EC2_INSTANCE", "EC2_INSTANCE_V2"],
    aws_autoscaling_group: ["EC2_AUTO_SCALING_GROUP"],
    aws_ebs_volume: ["EBS_VOLUME"],
    aws_db_instance: ["RDS_DB_INSTANCE", "RDS_DB_INSTANCE_STORAGE"],
    aws_rds_cluster_instance: ["RDS_DB_INSTANCE", "RDS_DB_INSTANCE_STORAGE"],
    aws_ecs_service: ["ECS_SERVICE"],
    aws_eks_node_group: NODE_POOL,
  },
  CLOUD_2: {
    azurerm_virtual_machine: VIRTUAL_MACHINE,
    azurerm_linux_virtual_machine: VIRTUAL_MACHINE,
    azurerm_windows_virtual_machine: VIRTUAL_MACHINE,
    azurerm_linux_virtual_machine_scale_set: ["AZURE_VMSS"],
    azurerm_windows_virtual_machine_scale_set: ["AZURE_VMSS"],
    azurerm_orchestrated_virtual_machine_scale_set: ["AZURE_VMSS"],
    azurerm_mssql_database: DATABASE,
    azurerm_mssql_managed_instance: DATABASE,
    azurerm_mysql_flexible_server: DATABASE,
    azurerm_postgresql_flexible_server: DATABASE,
    azurerm_cosmosdb_account: DATABASE,
    azurerm_storage_account: ["AZURE_STORAGE", "AZURE_FILES"],
    azurerm_storage_share: ["AZURE_FILES"],
    azurerm_service_plan: APP_SERVICE,
    azurerm_linux_web_app: APP_SERVICE,
    azurerm_windows_web_app: APP_SERVICE,
    azurerm_kubernetes_cluster_node_pool: NODE_POOL,
  },
  CLOUD_3: { google_container_node_pool: NODE_POOL },
  CLUSTER: Object.fromEntries(
    [
      "deployment",
      "stateful_set",
      "daemon_set",
      "daemonset",
      "replication_controller",
      "cron_job",
      "job",
    ].flatMap((kind) => ["", "_v1"].map((version) => [`kubernetes_${kind}${version}`, WORKLOAD])),
  ),
};

const ADDRESS = /^(?:[a-z0-9.-]+(?::\d+)?\/)?(?:[a-z0-9_-]+\/)?([a-z0-9_-]+)$/i;

/**
 * Returns the cloud of a provider: `registry.terraform.io/hashicorp/aws`, `hashicorp/aws` and `aws` are
 * equal. `unreadable`: not a provider's name; null: no recommendations exist for its resources.
 */
export function findCloud(provider: string): MatchedCloud | "unreadable" | null {
  const name = ADDRESS.exec(provider)?.[1]?.toLowerCase();
  if (name === undefined) return "unreadable";
  return Object.hasOwn(PROVIDERS, name) ? (PROVIDERS[name] ?? null) : null;
}

/** Returns the kinds of recommendations for a resource type; null: the type is unknown. */
export const listKinds = (cloud: MatchedCloud, type: string): readonly string[] | null =>
  Object.hasOwn(KINDS[cloud], type) ? (KINDS[cloud][type] ?? null) : null;
