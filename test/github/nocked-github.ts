import nock from "nock";
import { afterEach, beforeEach, expect } from "vitest";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { closeNetwork } from "../world/network.ts";
import { INSTALLATION, minted, type TestApp, testApp } from "./github.ts";

export interface NockedGitHub {
  readonly github: nock.Scope;
  readonly world: TestApp;
  readonly client: InstallationClient;
}

/** Before each test of the calling file: a GitHub that answers only what nock is told to, all of which must be used. */
export function useNock(begin: (fresh: NockedGitHub) => void): void {
  closeNetwork();
  beforeEach(() => {
    const world = testApp();
    const client = world.app.installation(INSTALLATION);
    begin({ github: nock("https://api.github.com"), world, client });
  });
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    expect(pending).toEqual([]);
  });
}

/** The installation's tokens are minted; `meanwhile` happens first. */
export const mint = (
  { github, world }: Pick<NockedGitHub, "github" | "world">,
  times = 1,
  meanwhile = () => {},
) =>
  github
    .post(`/app/installations/${INSTALLATION}/access_tokens`)
    .times(times)
    .reply(201, () => {
      meanwhile();
      return minted(world.time);
    });
