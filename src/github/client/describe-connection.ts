const UNKNOWN_HOST = "GitHub's host name is not known: check GHE_HOST and the name server of this machine";
const UNREACHABLE = "no connection to GitHub: check GHE_HOST, and the firewall or proxy on the way";
const CLOSED = "the connection to GitHub was closed without an answer";
const UNTRUSTED =
  "GitHub's TLS certificate is not trusted: name the file of its certificate authority in NODE_EXTRA_CA_CERTS";
const OUT_OF_DATE =
  "GitHub's TLS certificate is not valid now: it has to be renewed, or the clock of this machine is wrong";
const OTHER_NAME = "GitHub's TLS certificate is for another host: check GHE_HOST, and the proxy on the way";
const NO_TLS = "what answers in GitHub's place speaks no TLS: check GHE_HOST and GHE_PROTOCOL";

/** By codes of sockets, of undici and of TLS (https://nodejs.org/api/tls.html#x509-certificate-error-codes). No words name a host. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  UND_ERR_CONNECT_TIMEOUT: UNREACHABLE,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: OUT_OF_DATE,
  CERT_NOT_YET_VALID: OUT_OF_DATE,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Why no answer came over the connection to GitHub, with the way out and the system's own code. */
export function describeConnectionFailure(error: unknown): string {
  let last: string | null = null;
  // Other messages of the system name hosts and addresses.
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = "code" in one && typeof one.code === "string" ? one.code : null;
    if (code !== null && Object.hasOwn(REASONS, code)) return `${REASONS[code]} (${code})`;
    last = code ?? last;
  }
  return `the connection to GitHub failed${last === null ? "" : ` (${last})`}`;
}

/** What a body that is not GitHub's JSON is; null: it may be GitHub's. */
export const describeForeignBody = (body: unknown, status: number): string | null =>
  typeof body === "string"
    ? `a page or a broken text in place of GitHub's answer (status ${status}): GitHub has an outage, or a proxy answers for it`
    : null;
