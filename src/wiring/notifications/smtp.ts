import type { Senders, SendResult, TargetAddress } from "../../notifications/delivery-target.ts";

type SendMail = Senders["mail"];
type EmailAddress = TargetAddress & { kind: "email" };

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Sends an e-mail by SMTP: encrypted from the start (`smtps`), or by STARTTLS, without which nothing is sent except on this machine.
 * Never throws.
 */
export async function sendByMail(
  { id, ...mail }: Parameters<SendMail>[0],
  address: EmailAddress,
  timeoutMs: number,
): Promise<SendResult> {
  const { createTransport } = await import("nodemailer"); // loaded where it is used: most installations send no e-mail
  const transport = createTransport(buildTransportOptions(address, timeoutMs));
  const late = new Promise<SendResult>((resolve) => {
    const timer = setTimeout(() => resolve(toLate(timeoutMs)), timeoutMs);
    timer.unref();
  });
  const sending = transport
    .sendMail({
      ...mail,
      from: { name: "Tollgate", address: address.from },
      to: [...address.to],
      messageId: `<${id}@${address.from.split("@").at(-1)}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    })
    .then((): SendResult => ({ state: "sent" }), explain);
  try {
    return await Promise.race([sending, late]);
  } finally {
    transport.close();
  }
}

const toLate = (timeoutMs: number): SendResult => ({
  state: "unavailable",
  problem: `it did not answer within ${timeoutMs} ms`,
  afterMs: null,
});

function buildTransportOptions({ smtp }: EmailAddress, timeoutMs: number) {
  const url = new URL(smtp);
  const isEncrypted = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isEncrypted ? 465 : 587) : Number(url.port),
    secure: isEncrypted,
    requireTLS: !isEncrypted && !LOOPBACK.includes(url.hostname),
    ...(url.username !== "" && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Nothing in a message may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The library's message may quote the dialogue with the server, so only its codes are shown. */
function explain(error: unknown): SendResult {
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : Number.NaN;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (Number.isNaN(status))
    return { state: "unavailable", problem: `it could not be reached (${code})`, afterMs: null };
  const problem = `it answered with the status ${status}${code === "EAUTH" ? " to the login" : ""}`;
  return status >= 500 ? { state: "refused", problem } : { state: "unavailable", problem, afterMs: null };
}
