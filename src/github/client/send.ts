import type { ProbotOctokit } from "probot";
import type { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { failed, type GitHubResult, succeeded } from "./answer.ts";
import { classify } from "./classify.ts";
import type { RestCall } from "./installation-client.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** One request, exactly once. `token` null: the Octokit authenticates itself (as the App). */
export interface Sender {
  readonly octokit: Octokit;
  readonly clock: Clock;
}

export async function send<T>(
  sender: Sender,
  call: RestCall<T>,
  token: string | null,
): Promise<GitHubResult<T>> {
  try {
    const headers = token === null ? {} : { headers: { authorization: `token ${token}` } };
    const response = await sender.octokit.request(call.route, { ...call.parameters, ...headers });
    if (response.status >= 300) return failed("moved", "a redirect", response.status);
    return validate(call.answer, response.data);
  } catch (error) {
    return { ok: false, failure: classify(error, sender.clock.now()) };
  }
}

/** 200 with HTML or with half a JSON text reaches this as a string: it fits no schema and is never taken for success. */
export function validate<T>(schema: z.ZodType<T>, data: unknown): GitHubResult<T> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return succeeded(parsed.data);
  const where = parsed.error.issues[0];
  return failed(
    "malformed",
    `an answer of another shape at ${where?.path.join(".") || "its top"}: ${where?.code}`,
  );
}
