import type { Said, Written } from "../../../github/people/written.ts";
import type { PullKey } from "../../../kernel/ids.ts";
import { noteAsked, unheardComments, type Waiting } from "../../../store/approvals/commands.ts";
import type { StoredApproval } from "../../../store/approvals/signatures.ts";
import type { PullRun } from "../../lane/pull-run.ts";
import { takesBack } from "./too-late.ts";

interface Conversation {
  readonly stored: readonly StoredApproval[];
  readonly written: ReadonlyMap<string, Written>;
  readonly said: readonly Said[];
}

/**
 * What signers took back in comments that no delivery told of; they are noted like those that were told of. Whoever asks for
 * anything else and is not heard sees that nothing happens; a signature that stays opens a gate.
 */
export async function readMissed(
  { deps, key }: Pick<PullRun, "deps" | "key">,
  conversation: Conversation,
): Promise<{
  readonly asked: readonly Waiting[];
  readonly written: readonly (readonly [string, Written])[];
}> {
  const found = takenBack(conversation);
  const unheard = await unheardComments(
    deps.db,
    key,
    found.map(({ id }) => id),
  );
  const missed = found.filter(({ id }) => unheard.has(id));
  const asked = missed.flatMap((said) => toAsked(said, key));
  for (const one of asked) await noteAsked(deps.db, one, new Date(deps.clock.now()));
  return { asked, written: missed.map((said) => [said.nodeId, said]) };
}

/** Comments in which the signer of something in force takes it back. */
const takenBack = ({ stored, written, said }: Conversation): readonly Said[] =>
  said.filter((one) => {
    const { author, createdMs } = one;
    const own = stored.filter(({ approval }) => approval.signer.id === author?.id);
    if (createdMs === null || !own.some(({ approval }) => takesBack(one, approval.signer.id))) return false;
    return own.some(({ nodeId }) => createdMs >= (written.get(nodeId)?.createdMs ?? 0));
  });

const toAsked = (
  { id: sourceId, nodeId, author }: Said,
  { repositoryId, number }: PullKey,
): readonly Waiting[] =>
  author === null
    ? []
    : [{ repositoryId, number, source: "comment", sourceId, nodeId, authorId: author.id, earlier: 0 }];
