/** Sources of costs (cost management 2.6): three clouds, two vendors of AI services, and others. */
export const CLOUD_PROVIDERS = [
  "CLOUD_1",
  "CLOUD_2",
  "CLOUD_3",
  "CLUSTER",
  "EXTERNAL_DATA",
  "AI_VENDOR_1",
  "AI_VENDOR_2",
  "IBM",
  "ON_PREM",
  "UNKNOWN",
] as const;
export type CloudProvider = (typeof CLOUD_PROVIDERS)[number];
