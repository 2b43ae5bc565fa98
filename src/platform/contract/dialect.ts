/** The two sets of names that the platform's interface goes by. */
export type DialectName = "neutral" | "live";

/** Enumerations whose values differ from dialect to dialect. */
export type Vocabulary = "cloud" | "provisioner";

export interface Dialect {
  /** Header that names the account, on every call. */
  readonly accountHeader: string;
  /** Gateway path in front of the provisioning service's paths; a setting may say otherwise. */
  readonly prefix: string;
  /** Values on the wire, by the value that the contract uses; a value that is not listed is the same. */
  readonly values: Readonly<Record<Vocabulary, Readonly<Record<string, string>>>>;
  /** First words of member names on the wire, by the first word that the contract uses: `cloud1Accounts` is `awsAccounts`. */
  readonly firstWords: Readonly<Record<string, string>>;
}

/** `neutral`: as the platform's documents write them. `live`: as the running service writes them. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  neutral: {
    accountHeader: "Platform-Account",
    prefix: "",
    values: { cloud: {}, provisioner: {} },
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
