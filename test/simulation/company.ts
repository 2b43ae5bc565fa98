import { SECRET } from "./bot.ts";
import { BOT_URL, FORK_OWNER, NAME, OWNER, REPOSITORY } from "./places.ts";
import { getCodeOwners, POLICIES } from "./policies.ts";
import type { SimulatedGitHub } from "./simulated-github.ts";

/** Who and what is on GitHub when a story begins. */
export interface Company {
  /** The account of the CI. */
  readonly ciId: number;
  readonly app: { readonly id: number; readonly privateKey: string };
}

/** Founds the company: its people, its repositories with their first policy, a fork, and the App. */
export async function foundCompany({ verbs }: SimulatedGitHub): Promise<Company> {
  verbs.createOwner({ login: OWNER, type: "organisation" });
  const { id: ciId } = verbs.createOwner({ login: "ci", type: "user" });
  for (const login of ["grace", "heidi", "mallory"]) verbs.createOwner({ login, type: "user" });
  verbs.createTeam({ organisation: OWNER, slug: "finops", members: ["grace", "heidi"] });
  const files = {
    "README.md": "# shop\n",
    ".github/tollgate.yml": POLICIES.approvable,
    CODEOWNERS: getCodeOwners("owned"),
  };
  verbs.createRepository({ owner: OWNER, name: NAME, files });
  verbs.createRepository({ owner: OWNER, name: ".github" });
  verbs.push({ repository: REPOSITORY, branch: "release", files: {} });
  verbs.forkRepository({ repository: REPOSITORY, owner: FORK_OWNER });
  for (const login of ["grace", "heidi", "mallory"])
    verbs.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
  const app = await verbs.registerApp({
    name: "Tollgate",
    webhookUrl: `${BOT_URL}/`,
    webhookSecret: SECRET,
  });
  for (const branch of ["main", "release"]) {
    const requiredChecks = [{ context: `cost of ${branch}`, appId: app.id }];
    verbs.protectBranch({ repository: REPOSITORY, branch, requiredChecks });
  }
  verbs.installApp({ appId: app.id, owner: OWNER });
  return { ciId, app };
}
