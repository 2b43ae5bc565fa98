import { type IngestBody, ingest } from "../../platform/contract/own-operations.ts";
import { isProblem, type Problem } from "../area/problem.ts";
import type { UnparsedBody } from "../http/body/parse-body.ts";
import { type RawInput, type ReadInput, readInput } from "../http/read-input.ts";

/** What the handler needs of a body. A text is handed on by a thread in a tenth of the time of the value that it says. */
export interface PreparedIngest extends Omit<IngestBody, "cost" | "modules"> {
  /** As JSON texts: amounts stay the decimal texts that they are. Null: not sent. */
  readonly cost: string | null;
  readonly modules: string | null;
  /** Of the first cost change; empty without any. */
  readonly stage_id: string;
  /** The distinct stages and workspaces that the cost changes name. */
  readonly stages: readonly string[];
  readonly workspaces: readonly string[];
}

/** The input of the ingestion's handler, by the name of its endpoint. */
export interface PreparedInputs {
  readonly ingest: PreparedIngest;
}

type ReadIngest = Promise<ReadInput<PreparedIngest> | Problem<"bad_request">>;
export type IngestReader = (raw: RawInput) => ReadIngest;
/** It may take the bytes of the body. */
export type LargeIngestReader = (raw: RawInput & { readonly body: UnparsedBody }) => ReadIngest;

/** Larger bodies are read by another reader, if there is one. One of this size takes about 10 ms, in bytes. */
const LARGE_BODY = 1024 * 1024;

/** Parses and validates a request, and prepares what the handler stores. The result depends on the request only. */
export const readIngest: IngestReader = async (raw) => {
  const read = await readInput(ingest, raw);
  return isProblem(read) ? read : { input: prepareIngest(read.input.body) };
};

export const createIngestReader =
  (readLarge: LargeIngestReader = readIngest): IngestReader =>
  (raw) => {
    const { body } = raw;
    return "bytes" in body && body.bytes.length > LARGE_BODY ? readLarge({ ...raw, body }) : readIngest(raw);
  };

function prepareIngest({ cost, modules, ...rest }: IngestBody): PreparedIngest {
  const costs = [...(cost ? [cost] : []), ...Object.values(modules ?? {})];
  return {
    ...rest,
    cost: cost === undefined ? null : JSON.stringify(cost),
    modules: modules === undefined ? null : JSON.stringify(modules),
    stage_id: costs[0]?.stage_id ?? "",
    stages: [...new Set(costs.map(({ stage_execution_id }) => stage_execution_id))],
    workspaces: [...new Set(costs.map(({ workspace_id }) => workspace_id))],
  };
}
