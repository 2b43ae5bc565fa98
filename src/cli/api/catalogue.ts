import { TollgateError } from "../../kernel/errors.ts";
import type { Endpoint } from "../../platform/contract/endpoint.ts";
import { endpoints } from "../../platform/contract/registry.ts";
import { addressOf } from "../../platform/contract/wire/address.ts";
import { suggestion } from "../did-you-mean.ts";

/** One line of `tollgate api --list --json`. */
export interface OperationRow {
  readonly area: string;
  readonly operation: string;
  readonly method: string;
  /** As the default dialect answers it, with the documents' `{names}`. */
  readonly path: string;
  /** Tollgate's own: not in the platform's documents. */
  readonly extra?: true;
}

/** The operations of an area, or of all, in the contract's order. */
export const operationRows = (area?: string): readonly OperationRow[] =>
  endpointsOf(area).map((endpoint) => {
    const { area: own, operation, method, extra } = endpoint;
    const row = { area: own, operation, method, path: addressOf(endpoint) };
    return extra === true ? { ...row, extra } : row;
  });

export const endpointsOf = (area?: string): readonly Endpoint[] =>
  endpoints.filter((endpoint) => area === undefined || endpoint.area === area);

export const areaNames = (): readonly string[] => [...new Set(endpoints.map(({ area }) => area))];

/** Throws `usage` for an area that there is not. */
export function checkArea(area: string): void {
  const names = areaNames();
  if (names.includes(area)) return;
  throw new TollgateError("usage", `There is no area ${JSON.stringify(area)}.${suggestion(area, names)}`, {
    hint: `The areas are ${names.join(", ")}.`,
  });
}

/** Throws `usage` for an area or operation that there is not. */
export function findEndpoint(area: string, operation: string): Endpoint {
  checkArea(area);
  const all = endpointsOf(area);
  const found = all.find((endpoint) => endpoint.operation === operation);
  if (found !== undefined) return found;
  const names = all.map((endpoint) => endpoint.operation);
  const meant = suggestion(operation, names);
  throw new TollgateError("usage", `${area} has no operation ${JSON.stringify(operation)}.${meant}`, {
    hint: `Its operations are ${names.join(", ")}.`,
  });
}
