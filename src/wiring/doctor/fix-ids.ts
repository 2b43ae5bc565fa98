import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { isScalar, isSeq, parseDocument, visit } from "yaml";
import { TollgateError } from "../../kernel/errors.ts";
import { formatName, type NamedId } from "../../settings/named-ids.ts";
import { parseOperatorFile } from "../../settings/operator.ts";
import { createSettingsError, type Environment } from "../../settings/read.ts";
import { readResolvedNames } from "../local-store.ts";
import { applyNames, type ExaminedName } from "../operator-names.ts";
import { inspectInstallation } from "./examine.ts";

export interface FixedIds {
  readonly file: string;
  /** The names of the file; those with an id were replaced. */
  readonly names: readonly ExaminedName[];
}

/**
 * Writes the ids in force in the place of the names in the operator's file, and nothing else of it changes. Names without an id stay. An
 * embedded database that no process uses is opened: without the stored ids, whoever took a login over would get what it was granted.
 *
 * @throws TollgateError `settings_invalid`; `usage` without an operator's file or an App, or when the file cannot be written; what
 * `readResolvedNames` throws
 */
export const fixIds = (environment: Environment): Promise<FixedIds> =>
  inspectInstallation(environment, readResolvedNames, async ({ problems }, github, names) => {
    if (problems.length > 0) throw createSettingsError(problems);
    const { TOLLGATE_SETTINGS: file = "" } = environment;
    if (file === "" || github === null)
      throw new TollgateError("usage", "--fix-ids needs TOLLGATE_SETTINGS and the credentials of the App");
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
      const fixed = replaceNames(text, names);
      const [old, own] = [text, fixed].map((one) => parseOperatorFile(one, environment));
      const isSame =
        old?.state === "ok" &&
        own?.state === "ok" &&
        isDeepStrictEqual(applyNames(old.file, names), applyNames(own.file, names));
      if (!isSame) throw new Error("it was changed meanwhile, or a name in it is written over several lines");
      // In its place, so that its owner, rights and links stay.
      writeFileSync(file, fixed, { flag: "r+" });
      truncateSync(file, Buffer.byteLength(fixed));
    } catch (error) {
      const hint = `Write the ids yourself: ${names.flatMap(({ name, id }) => (id === null ? [] : [`${name}: ${id}`])).join(", ")}`;
      throw new TollgateError(
        "usage",
        `${file} cannot be changed: ${error instanceof Error && error.message}`,
        {
          cause: error,
          hint,
        },
      );
    }
    return { file, names };
  });

/** What the values of these keys name, wherever they are. */
const KINDS: Readonly<Record<string, NamedId["kind"] | undefined>> = {
  ...{ owner: "account", owners: "account", users: "account" },
  ...{ repository: "repository", repositories: "repository", apps: "app" },
};

/** Returns the value of a key with the id in the place of the name, which of a team of admins is its organisation's; null: it has none. */
function findReplacement(key: string, value: string, ids: ReadonlyMap<string, number | null>): string | null {
  const at = key === "teams" ? value.indexOf("/") : value.length;
  const kind = key === "teams" && at > 0 ? "account" : KINDS[key];
  const id = kind && ids.get(formatName({ kind, name: value.slice(0, at).toLowerCase() }));
  return id == null ? null : `${id}${value.slice(at)}`;
}

/** Returns the text of an operator's file with ids in the place of names; comments and layout stay. */
export function replaceNames(text: string, names: readonly ExaminedName[]): string {
  const ids = new Map(names.map((named) => [formatName(named), named.id]));
  const parts: string[] = [];
  let end = 0;
  visit(parseDocument(text), {
    Pair: (_, { key, value }) => {
      if (`${key}` === "webhook_secrets") return visit.SKIP; // their keys are free
      for (const one of isSeq(value) ? value.items : [value]) {
        if (!isScalar(one) || typeof one.value !== "string" || !one.range) continue;
        const replacement = findReplacement(`${key}`, one.value, ids);
        if (replacement === null) continue;
        parts.push(text.slice(end, one.range[0]), replacement);
        end = one.range[1];
      }
      return undefined;
    },
  });
  return [...parts, text.slice(end)].join("");
}
