import { systemClock } from "../../src/kernel/clock.ts";
import { createToken } from "../../src/store/tokens.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import type { Killable } from "../stories/killable.ts";
import { Ci } from "../world/ci.ts";
import { REPOSITORY } from "../world/places.ts";

/** A CI of a Tollgate that runs as a process of its own: its token is made before the first start. */
export class ProcessCi extends Ci {
  readonly #secret: string;

  private constructor({ github, webhookUrl }: Killable, secret: string) {
    const bot = {
      url: new URL(webhookUrl).origin,
      get session(): never {
        throw new Error("the process has the database");
      },
    };
    super({ github, bot, repositoryId: github.repository(REPOSITORY).id });
    this.#secret = secret;
  }

  /** Makes the database, and the token in it. */
  static async create(world: Killable, open: () => Promise<Database>): Promise<ProcessCi> {
    const store = await open();
    const { secret } = await createToken(store.db, { purpose: "api", account: "acc" }, systemClock);
    await store.close();
    return new ProcessCi(world, secret);
  }

  override token(): Promise<string> {
    return Promise.resolve(this.#secret);
  }
}
