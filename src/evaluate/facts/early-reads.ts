import type { PlatformClient } from "../../platform/client.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import type { NamedExecution } from "../../queue/named-execution.ts";
import type { Repository } from "../../store/repositories.ts";
import type { JobDeps } from "../run/deps.ts";
import type { StagePlatform } from "../run/pull-run.ts";
import type { ExecutionCandidate } from "./executions/claims.ts";
import {
  isOfOtherPipeline,
  type SelectedStage,
  selectNewestStages,
  toStageExecution,
} from "./executions/executions.ts";
import { findOnFirstPage } from "./executions/find-execution.ts";
import { readNamedCandidate } from "./executions/named-candidate.ts";
import { canReadProject } from "./platform/grants.ts";
import { askForStages, computeFingerprint } from "./stages.ts";

/** What is read of the execution that a delivery named. */
export interface EarlyReads {
  /** Answers calls about facts from the early reads, unless the stages are others than those that were read early. */
  readonly stagePlatform: StagePlatform;
  /** Asks for the stages of the execution, and returns the client that answers an equal call from this. */
  readonly listAgain: () => PlatformClient;
}

/**
 * Starts to read the execution that a delivery named, while the head is read. Which executions belong to the head, which stages they
 * have and whether these ended is read after the head as ever, so an execution that the head does not name is never used.
 *
 * Nothing is read early while our own limit of calls is reached, for a poster whom the operator does not trust, or of a project that the
 * operator did not grant. On the embedded platform a call is no round trip, so there is nothing to gain.
 */
export function startEarlyReads(
  deps: JobDeps,
  repository: Repository,
  named: NamedExecution | null,
): EarlyReads {
  const candidate = named === null ? null : findEarlyCandidate(deps, repository, named);
  if (candidate === null) return { stagePlatform: () => deps.platform, listAgain: () => deps.platform };
  const { asking, answering } = shareAnswers(deps.platform);
  let early: string | null = null;
  const ask = async () => {
    const selected = await listEarlyStages(deps, candidate);
    early = computeFingerprint(selected);
    await askForStages({ ...deps, platform: asking }, selected);
  };
  ask().catch((error: unknown) => deps.log.debug({ error }, "an execution could not be read early"));
  return {
    stagePlatform: (fingerprint) => (fingerprint === early ? answering : deps.platform),
    listAgain: () => {
      const again = shareAnswers(deps.platform);
      findOnFirstPage(again.asking, candidate).catch(() => {}); // who awaits the answer gets the same error
      return again.answering;
    },
  };
}

function findEarlyCandidate(
  { operator }: JobDeps,
  { repository_id: repositoryId, owner_id: ownerId, owner_login: owner, name }: Repository,
  named: NamedExecution,
): ExecutionCandidate | null {
  if (operator.embedded || ownerId === null) return null;
  const candidate = readNamedCandidate(named, operator);
  if (candidate?.proven !== true || isOfOtherPipeline(operator, candidate)) return null;
  const restriction = { org: null, project: null }; // of the policy, which is not read yet; it only narrows what is used
  const grantee = { ownerId, repositoryId, owner, name, restriction };
  return canReadProject(operator, grantee, candidate) ? candidate : null;
}

async function listEarlyStages(
  deps: JobDeps,
  candidate: ExecutionCandidate,
): Promise<readonly SelectedStage[]> {
  const found = await findOnFirstPage(deps.platform, candidate);
  if (found.state !== "found") return [];
  return selectNewestStages(found.stages.map((stage) => toStageExecution(candidate, stage)));
}

/**
 * Returns a client that asks, and one that answers an equal call with what was asked. A failure that another try may end is no
 * answer; that the platform has nothing is one.
 */
function shareAnswers(platform: PlatformClient): {
  readonly asking: PlatformClient;
  readonly answering: PlatformClient;
} {
  const asked = new Map<string, Promise<PlatformResult<unknown>>>();
  const close = () => platform.close();
  return {
    asking: {
      call: (endpoint, input) => {
        const answer = platform.call(endpoint, input);
        asked.set(formatCall(endpoint, input), answer);
        return answer;
      },
      close,
    },
    answering: {
      async call<E extends Endpoint>(endpoint: E, input: ClientInput<E>) {
        const early = await asked.get(formatCall(endpoint, input));
        if (early === undefined || !(early.ok || early.failure.kind === "not_found"))
          return platform.call(endpoint, input);
        return early as PlatformResult<EndpointOutput<E>>; // the key contains the endpoint
      },
      close,
    },
  };
}

const formatCall = (endpoint: Endpoint, input: unknown): string =>
  JSON.stringify([endpoint.area, endpoint.operation, input]);
