import type { PlanRow } from "../../src/plan-files/plan/plan-rows.ts";
import { readPlan } from "../../src/plan-files/plan/read-plan.ts";
import type { PlanSnapshot } from "../../src/plan-files/plan/snapshot.ts";
import { inPieces, utf8 } from "./bytes.ts";

/** One entry of `resource_changes` or `resource_drift`; name only what matters. */
export interface ChangeGiven {
  readonly address?: string;
  readonly mode?: string | null;
  readonly deposed?: string;
  readonly previous_address?: string;
  readonly actions?: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly after_unknown?: unknown;
  readonly before_sensitive?: unknown;
  readonly after_sensitive?: unknown;
  readonly importing?: unknown;
  readonly replace_paths?: readonly (readonly (string | number)[])[];
}

export function resourceChange(given: ChangeGiven = {}): object {
  const { address = "cloud_disk.data", mode = "managed", actions = ["create"], ...more } = given;
  const { deposed, previous_address, ...change } = more;
  return {
    address,
    ...(mode === null ? {} : { mode }),
    type: "cloud_disk",
    name: "data",
    provider_name: "registry.example.org/acme/cloud",
    ...(deposed === undefined ? {} : { deposed }),
    ...(previous_address === undefined ? {} : { previous_address }),
    change: {
      actions,
      before: null,
      after: null,
      before_sensitive: false,
      after_sensitive: false,
      ...change,
    },
  };
}

export function plan(members: Readonly<Record<string, unknown>> = {}): object {
  return { format_version: "1.2", terraform_version: "1.9.0", resource_changes: [], ...members };
}

/** A plan with one change of these members. */
export const planOf = (...changes: readonly ChangeGiven[]): object =>
  plan({ resource_changes: changes.map(resourceChange) });

export function readPlanText(text: string): Promise<PlanSnapshot> {
  return readPlan({ file: "plan.json", bytes: inPieces(utf8(text)) });
}

export const readPlanOf = (document: object): Promise<PlanSnapshot> => readPlanText(JSON.stringify(document));

/** The element of a row as text; empty for no row. */
export const textOf = (row: PlanRow | undefined): string =>
  row === undefined ? "" : JSON.stringify(row.element);

/** Every text of a snapshot that is sent, stored or shown. */
export const everythingIn = ({ rows, counts, marker, notes }: PlanSnapshot): string =>
  JSON.stringify([rows, counts, marker, notes]);
