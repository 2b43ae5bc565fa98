/** The two sets of names in the platform's interface. */
export type DialectName = "neutral" | "live";

/** Enumerations whose values differ between dialects. */
export type Vocabulary = "cloud" | "provisioner" | "anomalyField";

export interface Dialect {
  /** Header that names the account; sent with every call. */
  readonly accountHeader: string;
  /** Gateway path in front of the provisioning service's paths; a setting can replace it. */
  readonly prefix: string;
  /** Values on the wire by the contract's value; values that are not listed are equal in both. */
  readonly values: Readonly<Record<Vocabulary, Readonly<Record<string, string>>>>;
  /** First words of member names on the wire by the contract's first word: `cloud1Accounts` is `awsAccounts`. */
  readonly firstWords: Readonly<Record<string, string>>;
}

/** `neutral`: the names in the platform's documents. `live`: the names of the running service. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  neutral: {
    accountHeader: "Platform-Account",
    prefix: "",
    values: { cloud: {}, provisioner: {}, anomalyField: {} },
    firstWords: {},
  },
  live: {
    accountHeader: "Harness-Account",
    prefix: "/gateway/iacm",
    values: {
      cloud: {
        CLOUD_1: "AWS",
        CLOUD_2: "AZURE",
        CLOUD_3: "GCP",
        AI_VENDOR_1: "OPENAI",
        AI_VENDOR_2: "ANTHROPIC",
      },
      provisioner: {
        iac_tool_1: "terraform",
        iac_tool_2: "opentofu",
        iac_tool_3: "terragrunt",
        iac_tool_4: "awscdk",
      },
      anomalyField: {
        CLOUD_1_ACCOUNT: "AWS_ACCOUNT",
        CLOUD_1_SERVICE: "AWS_SERVICE",
        CLOUD_1_USAGE_TYPE: "AWS_USAGE_TYPE",
        CLOUD_2_SUBSCRIPTION_GUID: "AZURE_SUBSCRIPTION_GUID",
        CLOUD_2_RESOURCE_GROUP_NAME: "AZURE_RESOURCE_GROUP_NAME",
        CLOUD_2_METER_CATEGORY: "AZURE_METER_CATEGORY",
        CLOUD_3_PROJECT: "GCP_PROJECT",
        CLOUD_3_PRODUCT: "GCP_PRODUCT",
        CLOUD_3_SKU_DESCRIPTION: "GCP_SKU_DESCRIPTION",
        AI_VENDOR_1_PROJECT_ID: "OPENAI_PROJECT_ID",
        AI_VENDOR_1_MODEL: "OPENAI_MODEL",
        AI_VENDOR_1_USAGE_TYPE: "OPENAI_USAGE_TYPE",
        AI_VENDOR_2_PROJECT_ID: "ANTHROPIC_PROJECT_ID",
        AI_VENDOR_2_MODEL: "ANTHROPIC_MODEL",
        AI_VENDOR_2_USAGE_TYPE: "ANTHROPIC_USAGE_TYPE",
      },
    },
    firstWords: {
      cloud1: "aws",
      cloud2: "azure",
      cloud3: "gcp",
      aiVendor1: "openai",
      aiVendor2: "anthropic",
      cs: "ecs",
    },
  },
};

/** Header names of all dialects: a server accepts each of them. */
export const ACCOUNT_HEADERS: readonly string[] = Object.values(DIALECTS).map((d) => d.accountHeader);
