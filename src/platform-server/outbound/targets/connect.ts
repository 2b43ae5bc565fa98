import { type LookupAddress, lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { TargetGuard } from "./guard.ts";

/**
 * A forbidden connection. The message contains no address, because internal addresses must not be disclosed.
 */
export class ForbiddenTarget extends Error {
  override readonly name = "ForbiddenTarget";
  constructor() {
    super("the url leads to an address that webhooks may not reach");
  }
}

/** Resolves a name to all its addresses, like `node:dns`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const resolveBySystem: Resolve = (host, options, done) => resolve(host, { ...options }, done);

export interface ConnectOptions {
  readonly guard: TargetGuard;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** True: the target's certificate is not verified. */
  readonly insecure: boolean;
}

/**
 * Creates a connector that connects only to targets that the guard permits. The name is resolved here, once,
 * and the socket uses exactly the checked addresses, so that a later change of the name has no effect (DNS
 * rebinding).
 */
export function createGuardedConnector(options: ConnectOptions): buildConnector.connector {
  const { guard, timeoutMs, insecure } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    rejectUnauthorized: !insecure,
    allowH2: false,
    lookup: createGuardedLookup(options),
  });
  return (target, done) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    // A literal address is connected to without a lookup.
    if (isIP(host) !== 0 && !guard.permits(host, host)) {
      done(new ForbiddenTarget(), null);
      return;
    }
    connect(target, done);
  };
}

function createGuardedLookup({ guard, resolve }: ConnectOptions): LookupFunction {
  return (host, options, done) => {
    resolve(host, { all: true }, (failed, found) => {
      const error = failed ?? findForbidden(guard, host, found);
      const [first] = found ?? [];
      if (error !== null || first === undefined) done(error, []);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

/** All addresses must be permitted: which of them is tried is not ours to say. */
function findForbidden(
  guard: TargetGuard,
  host: string,
  found: readonly LookupAddress[],
): ForbiddenTarget | null {
  const permitted = found.length > 0 && found.every(({ address }) => guard.permits(host, address));
  return permitted ? null : new ForbiddenTarget();
}
