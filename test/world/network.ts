import nock from "nock";
import { afterAll, afterEach, beforeAll } from "vitest";

/** Closes the network to the tests of the calling file: only what nock is told to answer is answered. Files share a process, so it opens again. */
export function closeNetwork(): void {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}
