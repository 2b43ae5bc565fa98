import { createSeal } from "../../web/sign-in/sessions.ts";
import { type ConnectedGitHub, connectGitHub, type GitHubOptions, type GitHubSettings } from "../github.ts";
import type { StoreSession } from "../process/store-session.ts";
import { createSharedInstallations } from "./shared-installations.ts";
import { watchChanges } from "./watch-changes.ts";

/** Connects to GitHub as the App, together with the other processes on the database. */
export async function connectSharedGitHub(
  settings: GitHubSettings,
  session: Pick<StoreSession, "store">,
  options: Omit<GitHubOptions, "shared">,
): Promise<ConnectedGitHub> {
  const { clock, log } = options;
  const seal = createSeal(settings.github.privateKey, "installation tokens");
  const shared = createSharedInstallations({ db: session.store.db, clock, log, seal });
  const github = connectGitHub(settings, { ...options, shared: shared.of });
  const endWatch = await watchChanges(session, { shared, forget: github.app.forget, log });
  return {
    ...github,
    close: async () => {
      await endWatch();
      await github.close();
    },
  };
}
