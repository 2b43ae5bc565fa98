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
 * Detects a platform's dialect by the first answered read. Earlier calls use `live`, so that their failures
 * are those of the usual platform.
 */
export class DialectProbe {
  readonly #ask: (probe: Probe, dialect: DialectName) => Promise<PlatformResult<unknown>>;
  #found: DialectName | null = null;
  #probing: Promise<DialectName | null> | null = null;

  constructor(ask: (probe: Probe, dialect: DialectName) => Promise<PlatformResult<unknown>>) {
    this.#ask = ask;
  }

  async dialectFor(endpoint: Endpoint, input: LooseInput): Promise<DialectName> {
    if (this.#found !== null) return this.#found;
    const probe = probeFor(endpoint, input);
    if (probe === null) return "live";
    this.#probing ??= this.#try(probe);
    this.#found = await this.#probing;
    this.#probing = null;
    return this.#found ?? "live";
  }

  async #try(probe: Probe): Promise<DialectName | null> {
    for (const dialect of ORDER) {
      const outcome = await this.#ask(probe, dialect);
      if (outcome.ok) return dialect;
      // No answer: the other dialect has the same origin.
      if (outcome.failure.status === null) return null;
    }
    return null;
  }
}
