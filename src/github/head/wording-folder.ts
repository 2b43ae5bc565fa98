import { ORGANISATION_REPOSITORY, ORGANISATION_WORDING, REPOSITORY_WORDING } from "./head-query.ts";
import type { RawCommit, RawFile, RawFolder, RawOrganisation } from "./head-schema.ts";
import type { FolderFile, FolderState, RepositoryState } from "./head-state.ts";
import { SYMLINK, whyNoText } from "./policy-file.ts";

type Home = Pick<RepositoryState, "owner" | "name" | "ownerId">;

/** Words of the repository's own on a base branch. `null` commit: the branch is gone. */
export function repositoryWording(commit: RawCommit | null, { owner, name }: Home): FolderState {
  return commit === null ? null : folderState(commit.wording, `${owner}/${name}:${REPOSITORY_WORDING}`);
}

/** The organisation's words, where its `.github` repository answered. Nothing is judged by them, so nobody asks further. */
export function organisationWording(
  answer: RawOrganisation | null | undefined,
  { ownerId }: Home,
): FolderState {
  const target = answer?.defaultBranchRef?.target ?? null;
  const isMeant =
    answer?.owner.databaseId === ownerId && answer.name.toLowerCase() === ORGANISATION_REPOSITORY;
  if (target === null || !isMeant) return null;
  return folderState(target.wording, `${answer.owner.login}/${answer.name}:${ORGANISATION_WORDING}`);
}

/** `undefined`: it was not asked for, because the answer was too large with it. */
function folderState(folder: RawFolder | null | undefined, label: string): FolderState {
  if (folder === undefined) return { state: "unreadable", label, reason: "too_large" };
  if (folder === null) return null;
  const entries = folder.object?.entries ?? null;
  if (folder.type === "tree" && entries !== null)
    return { state: "found", label, files: entries.map(fileOf) };
  if (folder.type === "commit") return { state: "unreadable", label, reason: "submodule" };
  if (folder.type === "tree") return { state: "unreadable", label, reason: "malformed" };
  return SYMLINK.has(folder.mode) ? { state: "unreadable", label, reason: "symlink" } : null; // a file of that name is somebody else's
}

function fileOf({ name, ...file }: RawFile & { readonly name: string }): FolderFile {
  const reason = whyNoText(file);
  if (reason !== null) return { name, content: { state: "unreadable", reason } };
  const { oid = "", text = "" } = file.object ?? {};
  return { name, content: { state: "text", text: text ?? "", blob: oid } };
}
