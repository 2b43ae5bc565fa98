import { schema } from "@octokit/graphql-schema";
import { SENT_QUERIES } from "../github/sent-queries.ts";
import { reducedSchema } from "./reduced-schema.ts";

/** Types behind an interface that no query narrows it to: a directory, the comment that was minimised, a signature of GitHub. */
const ANSWERED = ["GitObject:Tree", "Minimizable:IssueComment", "GitSignature:GpgSignature"];

/** The part of GitHub's schema that Tollgate's queries select. */
export const githubSchema = (): string => reducedSchema(schema.idl, Object.values(SENT_QUERIES), ANSWERED);
