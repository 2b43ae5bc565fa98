import { z } from "zod";
import { parseSha } from "../../kernel/ids.ts";

export const Oid = z.string().transform((text, context) => {
  const sha = parseSha(text);
  if (sha !== null) return sha;
  context.addIssue({ code: "custom", message: "not a commit id" });
  return z.NEVER;
});
const Id = z.int().positive();

export const RawFile = z.object({
  mode: z.int(),
  type: z.string(),
  object: z
    .object({
      oid: z.string(),
      byteSize: z.int().optional(),
      isBinary: z.boolean().nullish(),
      isTruncated: z.boolean().optional(),
      text: z.string().nullish(),
    })
    .nullable(),
});
export type RawFile = z.infer<typeof RawFile>;

/** Whether a file is where a policy file may be meant. */
const OtherFile = z.object({ type: z.string() }).nullable();

/** A commit with the policy file in it. */
export const RawCommit = z.object({
  oid: Oid,
  folder: z.object({ mode: z.int(), type: z.string() }).nullable(),
  policy: RawFile.nullable(),
  misnamed: OtherFile,
  /** The files that may state code owners; absent: not asked for. */
  inGithub: RawFile.nullish(),
  inRoot: RawFile.nullish(),
  inDocs: RawFile.nullish(),
});
export type RawCommit = z.infer<typeof RawCommit>;

const RawActor = z.object({ __typename: z.string(), login: z.string(), databaseId: z.int().nullish() });
export type RawActor = z.infer<typeof RawActor>;

const RawStatus = z.object({
  __typename: z.literal("StatusContext"),
  context: z.string(),
  state: z.string(),
  targetUrl: z.string().nullable(),
  creator: RawActor.nullable(),
});
const RawCheck = z.object({
  __typename: z.literal("CheckRun"),
  id: z.string(),
  databaseId: z.int().nullable(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  detailsUrl: z.string().nullable(),
  externalId: z.string().nullable(),
  checkSuite: z.object({ app: z.object({ databaseId: z.int().nullable(), slug: z.string() }).nullable() }),
});
export type RawStatus = z.infer<typeof RawStatus>;
export type RawCheck = z.infer<typeof RawCheck>;

export const RawClaims = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(z.discriminatedUnion("__typename", [RawStatus, RawCheck])),
});
export type RawClaims = z.infer<typeof RawClaims>;

const Rollup = z.object({ contexts: RawClaims }).nullable();

export const RawHome = z.object({
  id: z.string(),
  databaseId: Id,
  name: z.string(),
  visibility: z.enum(["PUBLIC", "PRIVATE", "INTERNAL"]),
  updatedAt: z.string(),
  owner: z.object({ __typename: z.enum(["Organization", "User"]), login: z.string(), databaseId: Id }),
});
export type RawHome = z.infer<typeof RawHome>;

/** The organisation's `.github` repository; its target has no `policy` unless it is a commit. */
export const RawOrganisation = z.object({
  name: z.string(),
  owner: z.object({ login: z.string(), databaseId: Id }),
  defaultBranchRef: z
    .object({
      name: z.string(),
      target: z
        .object({
          oid: z.string(),
          policy: RawFile.nullable().optional(),
          misnamed: OtherFile.optional(),
          misplaced: OtherFile.optional(),
        })
        .nullable(),
    })
    .nullable(),
});
export type RawOrganisation = z.infer<typeof RawOrganisation>;

const RawPull = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.enum(["OPEN", "CLOSED", "MERGED"]),
  isDraft: z.boolean(),
  changedFiles: z.int().nonnegative(),
  author: RawActor.nullable(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
  headRefOid: Oid,
  baseRefName: z.string(),
  baseRef: z
    .object({
      target: RawCommit.nullable(),
      associatedPullRequests: z.object({ totalCount: z.int() }),
    })
    .nullable(),
  potentialMergeCommit: z.object({ oid: Oid }).nullable(),
  createdAt: z.string().nullish(),
  closedAt: z.string().nullish(),
  mergedAt: z.string().nullish(),
  mergedBy: RawActor.nullish(),
  mergeCommit: z.object({ oid: Oid }).nullish(),
  files: z
    .object({
      pageInfo: z.object({ hasNextPage: z.boolean() }),
      nodes: z.array(z.object({ path: z.string(), changeType: z.string() })),
    })
    .nullable(),
  commits: z.object({
    totalCount: z.int().nonnegative(),
    nodes: z.array(
      z.object({ commit: z.intersection(RawCommit, z.object({ statusCheckRollup: Rollup.optional() })) }),
    ),
  }),
});
export type RawPull = z.infer<typeof RawPull>;

const RawDefaultBranch = z.object({ name: z.string(), target: RawCommit.nullable() }).nullable();
export type RawDefaultBranch = z.infer<typeof RawDefaultBranch>;

export const RawHead = z.object({
  repository: z
    .intersection(RawHome, z.object({ pullRequest: RawPull.nullable(), defaultBranchRef: RawDefaultBranch }))
    .nullable(),
  organisation: RawOrganisation.nullish(),
});

export type RawHead = z.infer<typeof RawHead>;

export const RawCommitClaims = z.object({
  repository: z
    .object({ databaseId: Id, object: z.object({ statusCheckRollup: Rollup.optional() }).nullable() })
    .nullable(),
});

export const RawFurtherClaims = z.object({
  repository: z.object({ object: z.object({ statusCheckRollup: Rollup.optional() }).nullable() }).nullable(),
});

const RawMerge = z.object({ oid: Oid, parents: z.object({ nodes: z.array(z.object({ oid: Oid })) }) });

export const RawMergeGroup = z.object({
  repository: z
    .intersection(
      RawHome,
      z.object({
        ref: z.object({ target: RawCommit.nullable() }).nullable(),
        defaultBranchRef: RawDefaultBranch,
        group: RawMerge.nullable(),
        mergeQueue: z
          .object({
            entries: z.object({
              nodes: z.array(
                z.object({
                  position: z.int(),
                  headCommit: RawMerge.nullable(),
                  pullRequest: z.object({ number: Id, headRefOid: Oid }).nullable(),
                }),
              ),
            }),
          })
          .nullable(),
      }),
    )
    .nullable(),
  organisation: RawOrganisation.nullish(),
});
export type RawMergeGroup = z.infer<typeof RawMergeGroup>;

export const RawQueueCommits = z.object({
  repository: z
    .object({
      databaseId: Id,
      mergeQueue: z
        .object({
          entries: z.object({ nodes: z.array(z.object({ headCommit: z.object({ oid: Oid }).nullable() })) }),
        })
        .nullable(),
    })
    .nullable(),
});

export const RawBranchPolicy = z.object({
  repository: z
    .intersection(RawHome, z.object({ defaultBranchRef: RawDefaultBranch, ref: RawDefaultBranch }).partial())
    .nullable(),
  organisation: z.intersection(RawOrganisation, z.object({ databaseId: Id })).nullish(),
});
