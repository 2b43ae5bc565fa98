import type { PullKey } from "../../src/kernel/ids.ts";
import type { BaseWorld } from "./base-world.ts";
import type { Run } from "./ci.ts";
import { EXPENSIVE } from "./costs.ts";
import { OWNER, REPOSITORY } from "./places.ts";

export type Pull = PullKey & { readonly headSha: string };

/** People around the repository: grace and heidi of finops and ivan of security can write, mallory of finops only reads, olga maintains. */
export function joins({ github }: BaseWorld): void {
  github.createTeam({ organisation: OWNER, slug: "finops", members: ["grace", "heidi", "mallory"] });
  github.createTeam({ organisation: OWNER, slug: "security", members: ["ivan"] });
  for (const login of ["grace", "heidi", "ivan"])
    github.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
  github.addMember({ organisation: OWNER, login: "olga" });
  github.setCollaborator({ repository: REPOSITORY, login: "olga", permission: "maintain" });
}

/** People who ask things on a pull request. */
export class Conversation {
  readonly world: BaseWorld;
  readonly pull: Pull;

  constructor(world: BaseWorld, pull: Pull) {
    this.world = world;
    this.pull = pull;
  }

  async says(by: string, body: string) {
    const comment = this.world.github.addComment(this.pull, { body, by });
    await this.world.settles();
    return comment;
  }

  signs(by: string, words: string) {
    return this.says(by, `/tollgate approve ${this.pull.headSha} ${words}`);
  }

  gate(): string | null {
    return this.world.gate(this.world.github.pullRequest(this.pull), `tollgate: ${this.base()}`);
  }

  base(): string {
    return this.world.github.pullRequest(this.pull).baseRef;
  }

  /** Bodies of the App's comments that answer somebody: all but its report, which begins with a heading. */
  answers(): readonly string[] {
    return this.world.comments(this.pull).filter((body) => !body.startsWith("###"));
  }

  report(): string {
    return this.world.comments(this.pull).find((body) => body.startsWith("###")) ?? "";
  }

  signatures(): string {
    return /#### Approvals\n\n([^#]*)/.exec(this.report())?.[1]?.trim() ?? "";
  }

  reactions({ id }: { readonly id: number }): readonly string[] {
    return this.world.github.reactions(id).map(({ content }) => content);
  }
}

/** A pull request whose pipeline has run. */
export async function evaluatePull(
  world: BaseWorld,
  run: Omit<Partial<Run>, "sha"> = {},
  change: Parameters<BaseWorld["opensPullRequest"]>[0] = {},
): Promise<Conversation> {
  const pull = world.opensPullRequest(change);
  await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [], ...run });
  await world.settles();
  return new Conversation(world, pull);
}
