import { type Context, Hono } from "hono";
import type { InstalledRepository } from "../../../store/installations.ts";
import { createBearerLimiter } from "../../bearer-limiter.ts";
import { formatRepositoryPath } from "../../page/address.ts";
import { answerNotFound, answerTooMany, type PageDeps, type PageEnv } from "../../page/page.ts";
import type { BranchFiles } from "../../policy-access.ts";
import { getReaderKey } from "../../reader.ts";
import { buildRepositoryTabs, buildRepositoryTrail, findReadableRepository } from "../repository.ts";
import { buildTrialView, formatEditor, POLICY_FILE } from "./policy-view.ts";
import { MAX_COMPARED, type PolicyTrial, tryPolicy } from "./try-policy.ts";

/** Largest policy, in bytes, as in a repository. */
const MAX_BYTES = 64 * 1024;
/** How often a reader may open the page or try a policy. */
const PER_MINUTE = 30;

const PATH = "/r/:owner/:name/policy";

/** `GET /r/…/policy`: the policy in force. `POST`: what a proposed one would have decided; nothing is stored. */
export function createPolicyPages(deps: PageDeps): Hono<PageEnv> {
  const isWithinRate = createBearerLimiter(deps.clock, PER_MINUTE);
  const trying = new Set<string>();
  const withRepository =
    (work: (context: Context<PageEnv>, repository: InstalledRepository) => Promise<Response>) =>
    async (context: Context<PageEnv, typeof PATH>): Promise<Response> => {
      const { reader } = context.var;
      const repository = await findReadableRepository(deps, reader, context.req.param());
      if (repository === null) return answerNotFound(context);
      const key = getReaderKey(reader);
      if (!isWithinRate(key) || trying.has(key)) return answerTooMany(context);
      trying.add(key);
      try {
        return await work(context, repository);
      } finally {
        trying.delete(key);
      }
    };
  return new Hono<PageEnv>()
    .get(
      PATH,
      withRepository(async (context, repository) => {
        const files = await deps.policies.readFiles(repository);
        const text = files?.repository.state === "found" ? files.repository.text : STARTER;
        return show(context, deps, { repository, files, text, trial: null });
      }),
    )
    .post(
      PATH,
      withRepository((context, repository) => tryProposed(context, deps, repository)),
    );
}

const TOO_LARGE = "A policy file may have 64 KB.\n";

/** What the text field begins with where a repository has no file. */
const STARTER = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 500 USD }\n";

async function tryProposed(
  context: Context<PageEnv>,
  deps: PageDeps,
  repository: InstalledRepository,
): Promise<Response> {
  const { policy } = await context.req.parseBody();
  const text = (typeof policy === "string" ? policy : "").replaceAll("\r\n", "\n");
  if (Buffer.byteLength(text) > MAX_BYTES) return context.text(TOO_LARGE, 413);
  const files = await deps.policies.readFiles(repository);
  const trial =
    files === null
      ? null
      : await tryPolicy(
          { db: deps.db, clock: deps.clock, perform: deps.policies.perform },
          {
            repositoryId: repository.repositoryId,
            files,
            proposed: { file: POLICY_FILE, text },
            owner: getReaderKey(context.var.reader),
          },
        );
  return show(context, deps, { repository, files, text, trial });
}

interface PolicyPage {
  readonly repository: InstalledRepository;
  /** Null: GitHub did not return them. */
  readonly files: BranchFiles | null;
  readonly text: string;
  readonly trial: PolicyTrial | null;
}

async function show(
  context: Context<PageEnv>,
  { render, github }: PageDeps,
  { repository, files, text, trial }: PolicyPage,
): Promise<Response> {
  const { reader } = context.var;
  const name = `${repository.owner}/${repository.name}`;
  const path = `${formatRepositoryPath(name)}/policy`;
  const view = {
    path,
    text,
    file: POLICY_FILE,
    branch: files?.branch ?? null,
    state: files?.repository.state ?? null,
    organisation: await describeOrganisation(files, reader),
    trial: trial === null ? null : buildTrialView(trial, { text, repository: name, own: POLICY_FILE }),
    editor: files === null ? null : formatEditor({ github, repository: name, files }, text),
    maxCompared: MAX_COMPARED,
  };
  const rendered = render({
    title: `Policy · ${name}`,
    trail: buildRepositoryTrail(repository, { text: "Policy", href: path }),
    tabs: buildRepositoryTabs(name, "policy"),
    template: "policy",
    view,
    reader,
  });
  return context.html(rendered) as Response; // hono types it as a promise when the text may be one
}

/** The organisation's file applies to people who may not read it: they are told that there is one, as in comments. */
async function describeOrganisation(files: BranchFiles | null, reader: PageEnv["Variables"]["reader"]) {
  if (files === null || files.organisation.state === "absent") return null;
  const { organisation, organisationRepositoryId } = files;
  const isReadable = organisationRepositoryId !== null && (await reader.canRead(organisationRepositoryId));
  return {
    state: organisation.state,
    name: organisation.state === "found" && isReadable ? organisation.name : null,
    text: organisation.state === "found" && isReadable ? organisation.text : null,
  };
}
