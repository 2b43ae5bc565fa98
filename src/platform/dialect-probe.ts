import type { Endpoint, LooseInput } from "./contract/endpoint.ts";
import { governance } from "./contract/governance.ts";
import { getPushDisabled } from "./contract/settings.ts";
import type { DialectName } from "./contract/wire/dialect.ts";
import type { PlatformResult } from "./errors.ts";

/** A read that succeeds only in the right dialect. */
export interface Probe {
  readonly endpoint: Endpoint;
  readonly input: LooseInput;
}

/** The real platform uses `live`; a platform built from the documents uses `neutral`. */
const ORDER: readonly DialectName[] = ["live", "neutral"];

/**
 * Returns a probe that detects the dialect of the called service; null: none exists. Provisioning has a different path and
 * header in each dialect, cost management different words for clouds.
 */
export function probeFor(endpoint: Endpoint, { params = {} }: LooseInput): Probe | null {
  const { org, project } = params;
  if (endpoint.api === "provisioning" && org !== undefined && project !== undefined)
    return { endpoint: getPushDisabled, input: { params: { org, project } } };
  if (endpoint.api === "cost")
    return { endpoint: governance.listPromptResources, input: { query: { cloudProvider: "CLOUD_1" } } };
  return null;
}

/**
 * Makes a function that detects a platform's dialect by the first answered read. Earlier calls use `live`, so that their failures
 * are those of the usual platform.
 */
export function createDialectProbe(
  ask: (probe: Probe, dialect: DialectName) => Promise<PlatformResult<unknown>>,
): (endpoint: Endpoint, input: LooseInput) => Promise<DialectName> {
  let found: DialectName | null = null;
  let probing: Promise<DialectName | null> | null = null;
  const attempt = async (probe: Probe): Promise<DialectName | null> => {
    for (const dialect of ORDER) {
      const outcome = await ask(probe, dialect);
      if (outcome.ok) return dialect;
      // No answer: the other dialect has the same origin.
      if (outcome.failure.status === null) return null;
    }
    return null;
  };
  return async (endpoint, input) => {
    const probe = found === null ? probeFor(endpoint, input) : null;
    if (probe === null) return found ?? "live";
    probing ??= attempt(probe);
    found = await probing;
    probing = null;
    return found ?? "live";
  };
}
