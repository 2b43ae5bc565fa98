import type { ApiName } from "../../platform/contract/apis.ts";

/** The service of a path, and the path as the contract writes it. */
export interface ServicePath {
  readonly api: ApiName;
  readonly path: string;
}

interface Service {
  readonly api: ApiName;
  readonly at: RegExp;
  /** What stands before the contract's paths; services with a gateway prefix answer below each form of it. */
  readonly prefix: RegExp;
}

// Where each service answers: as the documents write it, and under the gateway paths of the running service.
const SERVICES: readonly Service[] = [
  { api: "cost", at: /^(\/gateway)?\/ccm(\/|$)/, prefix: /^(\/gateway)?\/ccm\/api(?=\/)/ },
  { api: "flags", at: /^\/cf\/admin(\/|$)/, prefix: /^/ },
  { api: "registry", at: /^\/har\/api(\/|$)/, prefix: /^/ },
  { api: "code", at: /^\/code\/api(\/|$)/, prefix: /^/ },
  {
    api: "tollgate",
    at: /^((\/gateway)?\/iacm)?\/tollgate\/v1(\/|$)/,
    prefix: /^((\/gateway)?\/iacm)?(?=\/tollgate)/,
  },
  {
    api: "provisioning",
    at: /^(\/gateway)?\/iacm(\/|$)|^\/api\/orgs(\/|$)/,
    prefix: /^((\/gateway)?\/iacm)?(?=\/)/,
  },
];

/** Finds the service of a path; null: there is none. `pathname` has no query. */
export function findServicePath(pathname: string): ServicePath | null {
  const service = SERVICES.find(({ at }) => at.test(pathname));
  return service === undefined ? null : { api: service.api, path: pathname.replace(service.prefix, "") };
}
