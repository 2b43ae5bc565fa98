import { Agent, request as send } from "undici";
import type { PostRequest, SendResult } from "../../notifications/delivery-target.ts";
import { VERSION } from "../../package/version.ts";

/** Most bytes that are read of an answer; none of them is stored, logged or shown. */
const READ_BYTES = 64 * 1_024;

/**
 * Sends one POST to an address of the operator's. Redirects are not followed, because they lead to addresses that the operator did not
 * name. Never throws.
 */
export async function postNotification(
  { url, headers, body }: PostRequest,
  timeoutMs: number,
): Promise<SendResult> {
  const agent = new Agent({
    connect: { timeout: timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: READ_BYTES,
  });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await send(url, {
      method: "POST",
      headers: { ...headers, "user-agent": `Tollgate/${VERSION}` },
      body,
      dispatcher: agent,
      signal,
    });
    const result = toResult(answer.statusCode, answer.headers["retry-after"]);
    await answer.body.dump({ limit: READ_BYTES, signal }).catch(() => {});
    return result;
  } catch (error) {
    const problem = signal.aborted
      ? `it did not answer within ${timeoutMs} ms`
      : `it could not be reached (${findCode(error) ?? "unknown"})`;
    return { state: "unavailable", problem, afterMs: null };
  } finally {
    await agent.destroy();
  }
}

function toResult(status: number, retryAfter: string | string[] | undefined): SendResult {
  if (status >= 200 && status < 300) return { state: "sent" };
  const problem = `it answered with the status ${status}`;
  if (status >= 300 && status < 400)
    return { state: "refused", problem: `${problem}, a redirect, and redirects are not followed` };
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
  if (!isTemporary) return { state: "refused", problem };
  const [seconds] = [retryAfter ?? []].flat();
  const afterMs = seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
  return { state: "unavailable", problem, afterMs };
}

/** The code of a failed connection, e.g. `ECONNREFUSED`; messages of libraries may quote the address. */
function findCode(error: unknown): string | null {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const codes = causes.map((one) => (one instanceof Error && "code" in one ? one.code : undefined));
  return (
    codes.find((code) => typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code))?.toString() ?? null
  );
}
