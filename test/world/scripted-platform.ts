import type { Transport } from "../../src/platform/transport.ts";
import type { AppSettings } from "../../src/wiring/compose.ts";
import type { FoundingOptions } from "./base-world.ts";
import { answerAsPlatform } from "./slow-platform.ts";

const URL_OF_PLATFORM = "https://platform.example";

/** A platform of the operator's in the process of its test: it answers as `slowPlatform`, or as its script says. */
export class ScriptedPlatform {
  /** Paths and queries of all calls, in their order. */
  readonly calls: string[] = [];
  /** Answers a call, now or later, with a status, a body, or undefined for the usual answer. */
  script: (target: string) => unknown = () => undefined;

  readonly transport: Transport = {
    send: async ({ target }) => {
      this.calls.push(target);
      const scripted = await this.script(target);
      const [status, body] =
        typeof scripted === "number" ? [scripted, {}] : [200, scripted ?? answerAsPlatform(target)];
      return {
        status: body === null ? 404 : status,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode(JSON.stringify(body ?? {})),
      };
    },
    close: async () => {},
  };

  /** What a world needs to use it. The repository may see the project `p` of the org `o`. */
  options({
    callsPerMinute = 360,
    ...granted
  }: {
    readonly callsPerMinute?: number;
    readonly perspectives?: readonly string[];
  } = {}): Pick<FoundingOptions, "settings" | "operator"> & { readonly platformTransport: Transport } {
    const platform: AppSettings["platform"] = {
      kind: "remote",
      url: URL_OF_PLATFORM,
      token: "t",
      account: "acc",
      dialect: "neutral",
      prefix: "",
      callsPerMinute,
    };
    return {
      settings: { platform },
      platformTransport: this.transport,
      operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p", ...granted }] }),
    };
  }

  /** The page of an execution. */
  executionUrl = (executionId: string): string =>
    `${URL_OF_PLATFORM}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/${executionId}/pipeline`;

  count = (paths: RegExp): number => this.calls.filter((target) => paths.test(target)).length;
}
