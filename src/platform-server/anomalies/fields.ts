import type { z } from "zod";
import type { EntityMember } from "../../platform/contract/anomalies.ts";
import type { AnomalyFilter, anomalyField } from "../../platform/contract/shapes/anomaly-filter.ts";
import type { ShownColumn } from "./store/list.ts";
import type { TextColumn } from "./store/tables.ts";

export type AnomalyField = z.output<typeof anomalyField>;

/** The entities of an anomaly: the member in answers and imports, and the column that stores it. */
export const ENTITY_COLUMNS = {
  k8sClusterName: "k8s_cluster_name",
  k8sNamespace: "k8s_namespace",
  k8sWorkloadName: "k8s_workload_name",
  k8sServiceName: "k8s_service_name",
  cloud3Project: "cloud3_project",
  cloud3Product: "cloud3_product",
  cloud3SKUDescription: "cloud3_sku_description",
  cloud1Account: "cloud1_account",
  cloud1Service: "cloud1_service",
  cloud1UsageType: "cloud1_usage_type",
  cloud2SubscriptionGuid: "cloud2_subscription_guid",
  cloud2ResourceGroup: "cloud2_resource_group",
  cloud2MeterCategory: "cloud2_meter_category",
  aiVendor1ProjectId: "ai_vendor1_project_id",
  aiVendor1Model: "ai_vendor1_model",
  aiVendor1UsageType: "ai_vendor1_usage_type",
  aiVendor2ProjectId: "ai_vendor2_project_id",
  aiVendor2Model: "ai_vendor2_model",
  aiVendor2UsageType: "ai_vendor2_usage_type",
} as const satisfies Readonly<Record<EntityMember, TextColumn>>;

/** Lists of the filter with values of one column. */
export const LIST_COLUMNS = {
  k8sClusterNames: "k8s_cluster_name",
  k8sNamespaces: "k8s_namespace",
  k8sWorkloadNames: "k8s_workload_name",
  k8sServiceNames: "k8s_service_name",
  cloud3Projects: "cloud3_project",
  cloud3Products: "cloud3_product",
  cloud3SKUDescriptions: "cloud3_sku_description",
  cloud1Accounts: "cloud1_account",
  cloud1Services: "cloud1_service",
  cloud1UsageTypes: "cloud1_usage_type",
  cloud2SubscriptionGuids: "cloud2_subscription_guid",
  cloud2ResourceGroups: "cloud2_resource_group",
  cloud2MeterCategories: "cloud2_meter_category",
  aiVendor1ProjectIds: "ai_vendor1_project_id",
  aiVendor1Models: "ai_vendor1_model",
  aiVendor1UsageTypes: "ai_vendor1_usage_type",
  aiVendor2ProjectIds: "ai_vendor2_project_id",
  aiVendor2Models: "ai_vendor2_model",
  aiVendor2UsageTypes: "ai_vendor2_usage_type",
  anomalyIds: "id",
  perspectiveIds: "perspective_id",
  unitMetricNames: "unit_metric_name",
  status: "status",
} as const satisfies Readonly<Partial<Record<keyof AnomalyFilter, TextColumn>>>;

/** Columns by which a list can be sorted, grouped and aggregated. */
export const FIELD_COLUMNS: Readonly<Record<AnomalyField, ShownColumn>> = {
  ANOMALY_ID: "id",
  ANOMALY_TIME: "time_ms",
  ACTUAL_COST: "actual_amount",
  EXPECTED_COST: "expected_amount",
  ANOMALOUS_SPEND: "anomalous_spend",
  STATUS: "status",
  CRITICALITY: "criticality",
  CLOUD_PROVIDER: "cloud_provider",
  RESOURCE_NAME: "resource_name",
  PERSPECTIVE_ID: "perspective_id",
  PERSPECTIVE_NAME: "perspective_name",
  UNIT_METRIC_NAME: "unit_metric_name",
  CLUSTER_NAME: "k8s_cluster_name",
  NAMESPACE: "k8s_namespace",
  WORKLOAD: "k8s_workload_name",
  SERVICE_NAME: "k8s_service_name",
  CLOUD_1_ACCOUNT: "cloud1_account",
  CLOUD_1_SERVICE: "cloud1_service",
  CLOUD_1_USAGE_TYPE: "cloud1_usage_type",
  CLOUD_2_SUBSCRIPTION_GUID: "cloud2_subscription_guid",
  CLOUD_2_RESOURCE_GROUP_NAME: "cloud2_resource_group",
  CLOUD_2_METER_CATEGORY: "cloud2_meter_category",
  CLOUD_3_PROJECT: "cloud3_project",
  CLOUD_3_PRODUCT: "cloud3_product",
  CLOUD_3_SKU_DESCRIPTION: "cloud3_sku_description",
  AI_VENDOR_1_PROJECT_ID: "ai_vendor1_project_id",
  AI_VENDOR_1_MODEL: "ai_vendor1_model",
  AI_VENDOR_1_USAGE_TYPE: "ai_vendor1_usage_type",
  AI_VENDOR_2_PROJECT_ID: "ai_vendor2_project_id",
  AI_VENDOR_2_MODEL: "ai_vendor2_model",
  AI_VENDOR_2_USAGE_TYPE: "ai_vendor2_usage_type",
};
