import { formatAccountById } from "../formatters/account.ts";
import type { UserToken } from "../state/apps.ts";
import type { World } from "../state/world.ts";

/** GitHub's: eight hours, and about six months. */
const TOKEN_LIFE_MS = 28_800_000;
const REFRESH_LIFE_MS = 15_897_600_000;

interface Grant {
  readonly appId: number;
  readonly userId: number;
}

/** Issues a person's token for an App. */
export function issueUserToken(world: World, { appId, userId }: Grant): UserToken {
  const now = world.clock.now();
  const issued = {
    token: `ghu_${world.random.text(36)}`,
    refreshToken: `ghr_${world.random.text(76)}`,
    ...{ appId, userId, expiresAt: now + TOKEN_LIFE_MS, refreshExpiresAt: now + REFRESH_LIFE_MS },
  };
  world.userTokens.set(issued.token, issued);
  return issued;
}

/** Exchanges a refresh token for a new pair, once; null: it is unknown, spent or expired. */
export function renewUserToken(world: World, appId: number, refreshToken: string): UserToken | null {
  const old = world.userTokens
    .values()
    .find((one) => one.appId === appId && one.refreshToken === refreshToken);
  if (old === undefined || old.refreshExpiresAt <= world.clock.now()) return null;
  world.userTokens.delete(old.token);
  return issueUserToken(world, old);
}

/** Ends all of a person's tokens for an App, and tells the App. */
export function revokeGrant(world: World, { appId, userId }: Grant): void {
  for (const { token, ...of } of world.userTokens.values())
    if (of.appId === appId && of.userId === userId) world.userTokens.delete(token);
  world.notify({
    app: world.apps.require(appId),
    installationId: null,
    repositoryId: null,
    event: "github_app_authorization",
    action: "revoked",
    body: JSON.stringify({ action: "revoked", sender: formatAccountById(world, userId) }),
  });
}
