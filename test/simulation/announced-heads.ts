import { z } from "zod";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import type { SentDelivery } from "./simulated-github.ts";

const Payload = z.object({
  pull_request: z.object({ number: z.int(), head: z.object({ sha: z.string() }) }),
});

/** Which heads the bot learned of by a delivery. A check belongs to a commit: the bot cannot know a pull request that moved to it without one. */
export class AnnouncedHeads {
  /** By pull request and head. */
  readonly #guids = new Map<string, string[]>();
  readonly #handled: ReadonlySet<string>;

  /** `handled`: ids of the deliveries that were processed. */
  constructor(handled: ReadonlySet<string>) {
    this.#handled = handled;
  }

  /** A delivery reaches the bot. */
  notes({ event, guid, body }: SentDelivery): void {
    if (event !== "pull_request") return;
    const { number, head } = Payload.parse(JSON.parse(body)).pull_request;
    const key = `${number} ${head.sha}`;
    this.#guids.set(key, [...(this.#guids.get(key) ?? []), guid]);
  }

  has({ number, headSha }: Pick<SandboxPull, "number" | "headSha">): boolean {
    return (this.#guids.get(`${number} ${headSha}`) ?? []).some((guid) => this.#handled.has(guid));
  }
}
