/** The two sets of names that the platform's interface goes by. */
export type DialectName = "neutral" | "live";

export interface Dialect {
  /** Header that names the account, on every call. */
  readonly accountHeader: string;
  /** Gateway path in front of every path of the contract; a setting may say otherwise. */
  readonly prefix: string;
  /** Names of provisioners on the wire, by the name that the contract uses. */
  readonly provisioners: Readonly<Record<string, string>>;
}

/** `neutral`: as the platform's documents write them. `live`: as the running service writes them. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  neutral: {
    accountHeader: "Platform-Account",
    prefix: "",
    provisioners: {
      iac_tool_1: "iac_tool_1",
      iac_tool_2: "iac_tool_2",
      iac_tool_3: "iac_tool_3",
      iac_tool_4: "iac_tool_4",
    },
  },
  live: {
    accountHeader: "Harness-Account",
    prefix: "/gateway/iacm",
    provisioners: {
      iac_tool_1: "terraform",
      iac_tool_2: "opentofu",
      iac_tool_3: "terragrunt",
      iac_tool_4: "awscdk",
    },
  },
};

/** Header names of all dialects: a server accepts each of them. */
export const ACCOUNT_HEADERS: readonly string[] = Object.values(DIALECTS).map((d) => d.accountHeader);
