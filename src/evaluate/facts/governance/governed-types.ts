import type { ContextGrant } from "../../run/operator-rules.ts";

export type Cloud = ContextGrant["clouds"][number];

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
export const findCloud = (type: string): Cloud | null => CLOUDS[type.split("_", 1)[0] ?? ""] ?? null;

/**
 * Whether governance's type is this Terraform resource type, by any of its names: `aws.ec2`, `ebs-snapshot`,
 * `aws_instance`.
 */
export function isGovernedAs(type: string, resource: string): boolean {
  const plain = normalizeName(resource.replace(/^(?:aws|awscc|azure|gcp)\./i, ""));
  return [type, ...(NAMES[type] ?? [])].some((known) => normalizeName(known) === plain);
}

const normalizeName = (text: string): string => text.toLowerCase().replaceAll(/[-_ ]/g, "");
