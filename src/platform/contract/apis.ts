/** The services of the platform. They differ in how they name the account, report errors and encode requests. */
export type ApiName = "provisioning" | "cost" | "flags" | "registry" | "code" | "tollgate";

/** Formats of a request's body and of its answer (document 1, section 1). */
export type BodyFormat = "json" | "yaml" | "form";

/** The shape of an error answer: see `platform-server/http/envelopes.ts`, which writes each, and `platform/errors.ts`, which reads all. */
export type ServiceEnvelope = "goa" | "cost" | "flags" | "registry" | "code";

export interface Api {
  /** Where a request names its account: a header, the query's `accountIdentifier`, or the first part of `registry_ref`. */
  readonly account: "header" | "query" | "path";
  readonly envelope: ServiceEnvelope;
  readonly formats: readonly BodyFormat[];
  /** Path in front of every path of the contract; `null`: the dialect's, or the operator's setting. */
  readonly prefix: string | null;
}

/** The formats of requests and answers of every API that the documents describe. */
const SHARED = ["json", "yaml", "form"] as const;

export const APIS: Readonly<Record<ApiName, Api>> = {
  provisioning: { account: "header", envelope: "goa", formats: SHARED, prefix: null },
  cost: { account: "query", envelope: "cost", formats: SHARED, prefix: "/gateway/ccm/api" },
  flags: { account: "query", envelope: "flags", formats: SHARED, prefix: "" },
  registry: { account: "path", envelope: "registry", formats: SHARED, prefix: "" },
  code: { account: "query", envelope: "code", formats: SHARED, prefix: "" },
  // Tollgate's own operations: large bodies from Tollgate's programs.
  tollgate: { account: "header", envelope: "goa", formats: ["json"], prefix: "" },
};
