import { userInfo } from "node:os";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { DAY_MS, HOUR_MS } from "../../kernel/clock.ts";
import { isPlatformId } from "../../kernel/ids.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import {
  type ListedToken,
  makeToken,
  readStoredTokens,
  revokeStoredToken,
} from "../../wiring/local-store.ts";
import { printForPeople } from "../api/table.ts";
import { type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate token create`: a credential for CI, shown once. */
export const tokenCreateCommand: MakeCommand = (output) =>
  createCommand().action((options) => create(options, output));

const createCommand = () =>
  new Command()
    .addOption(
      new Option("--for <PURPOSE>", "what it may do")
        .choices(["import", "notify", "api", "read"] as const)
        .makeOptionMandatory(),
    )
    .option("--repository <OWNER/NAME>", "the repository that the token speaks for (or GitHub's numeric id)")
    .option(
      "--owner <OWNER>",
      "of a read token: the owner whose repositories it reads (login or GitHub's id)",
    )
    .option("--name <NAME>", "what it is for, as `tollgate token list` shows it")
    .option(
      "--expires <TIME>",
      "how long it is valid: 12h, 90d, 52w (default: until it is revoked)",
      parseValidMs,
    )
    .option("--org <ORG>", "org on the platform (default: the repository's owner)")
    .option("--project <PROJECT>", "project on the platform (default: the repository's name)")
    .option("--account <ACCOUNT>", "account on the embedded platform (default: PLATFORM_ACCOUNT)")
    .option("--json", "print id, token and expiry as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "`import` writes plans and estimates of one project to the embedded platform, `notify` reports to the bot which execution belongs to a commit, `api` reads and writes everything on the embedded platform, `read` reads Tollgate's own API (`/api/v1`): one repository, one owner's, or all.",
        "A token is for one account. The embedded platform keeps accounts apart.",
        "The token is shown once; only its hash is stored. GitHub Actions needs none: docs/tokens.md.",
      ),
    );

type CreateOptions = OptionsOf<typeof createCommand>;

async function create(options: CreateOptions, output: Output): Promise<void> {
  const { for: purpose, repository = null, org = null, project = null } = options;
  refuseWrongOptions(options);
  const { account, name, owner } = options;
  const {
    id,
    secret: token,
    expires,
  } = await makeToken(readSettings(readEnvironment()), {
    ...{ purpose, repository, org, project, created_by: readAccountName() },
    ...dropUndefined({ account, name, owner, valid_ms: options.expires }),
  });
  output.result(options.json ? JSON.stringify({ id, token, expires }) : token);
}

function refuseWrongOptions({ for: purpose, repository, account, name, owner }: CreateOptions): void {
  if (account !== undefined && !isPlatformId(account))
    throw usageError("--account takes 1 to 128 letters, digits or _ . $ -");
  if (name !== undefined && name.length > 100) throw usageError("--name has more than 100 characters.");
  if (owner !== undefined && (purpose !== "read" || repository !== undefined))
    throw usageError("--owner is for `--for read`, without --repository.");
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the members that have a value. */
const dropUndefined = <T extends object>(members: T): Defined<T> =>
  // The filter is what the type says.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;

const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/** Returns a duration such as `90d` in ms. */
function parseValidMs(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const ms = UNITS[unit];
  if (ms === undefined)
    throw new InvalidArgumentError("Expected a number of hours, days or weeks: 12h, 90d, 52w.");
  return Number(count) * ms;
}

/** Returns the name of the account that executes this process, or its number: in a container it may have no name. */
export function readAccountName(read: () => { readonly username: string } = userInfo): string {
  try {
    return read().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** `tollgate token list`: what credentials there are, without their secrets. */
export const tokenListCommand: MakeCommand = (output) =>
  new Command()
    .option("--all", "also tokens that expired or were revoked")
    .option("--json", "print the list as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "The last use is recorded at most every five minutes. Secrets are not stored, so they are not shown.",
      ),
    )
    .action(async ({ all, json }) => {
      const tokens = await readStoredTokens(readSettings(readEnvironment()));
      const listed = tokens.filter(({ state }) => all === true || state === "active");
      if (json) output.result(JSON.stringify(listed, null, 2));
      else if (listed.length > 0) printForPeople(listed.map(toRow), output);
      else output.message(tokens.length === 0 ? NONE : NONE_VALID);
    });

const NONE = "there is no token yet; `tollgate token create` makes one";
const NONE_VALID = "there is no valid token; `tollgate token list --all` shows the others";

/** Members as people look for them; empty columns are left out. */
function toRow({ id, name, purpose, state, repository, repository_id, org, project, ...rest }: ListedToken) {
  const { created_by, created, expires, last_used, account } = rest;
  return {
    ...{ id, name, purpose, state: state === "active" ? null : state },
    repository: repository ?? repository_id,
    project: org === null ? null : `${org}/${project}`,
    ...{ created, expires, last_used, created_by, account },
  };
}

/** `tollgate token revoke`: ends a credential. */
export const tokenRevokeCommand: MakeCommand = (output) =>
  new Command()
    .argument("<ID>", "the token's id, as `tollgate token list` shows it; or the whole of a leaked token")
    .addHelpText(
      "after",
      paragraphs("The next request with the token is refused. Data that was written with it stays."),
    )
    .action(async (text) => {
      const id = /^tg_([0-9a-f]{16})_/.exec(text)?.[1] ?? text;
      await revokeStoredToken(readSettings(readEnvironment()), id);
      output.message(`revoked ${id}`);
    });
