import { APIS, type ServiceEnvelope } from "../../src/platform/contract/apis.ts";
import type { Endpoint, ErrorStatus } from "../../src/platform/contract/endpoint.ts";
import { type Loopback, serveHttp } from "../platform/loopback.ts";

/** What a service of each envelope says when it fails, as its document shows it. `status` is the answer's. */
const BODIES: Readonly<Record<ServiceEnvelope, (status: number) => object>> = {
  goa: (status) => ({
    name: "faulty",
    id: "3F1FKVRR",
    message: "the service is not well",
    temporary: true,
    timeout: status === 408,
    fault: status >= 500,
  }),
  cost: () => ({
    status: "ERROR",
    code: "UNKNOWN_ERROR",
    message: "the service is not well",
    correlationId: "c0ffee",
    detailedMessage: null,
    responseMessages: [],
    metadata: null,
  }),
  flags: (status) => ({ code: `${status}`, message: "the service is not well" }),
  registry: (status) => ({ code: `${status}`, message: "the service is not well" }),
  code: () => ({ message: "the service is not well" }),
};

export const faultyBody = ({ api }: Endpoint, status: number): object => BODIES[APIS[api].envelope](status);

/** A service that answers every request with the error status that `status` says at that time, in the right envelope. */
export function serveFaulty(endpoint: Endpoint, status: () => ErrorStatus): Promise<Loopback> {
  return serveHttp((request, response) => {
    request.resume();
    const text = JSON.stringify(faultyBody(endpoint, status()));
    response.writeHead(status(), { "content-type": "application/json" }).end(text);
  });
}
