import { readFileSync, statSync } from "node:fs";
import { Agent } from "undici";
import { isPair, isSeq, parseDocument, visit } from "yaml";
import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { formatName, type NamedId } from "../../settings/named-ids.ts";
import { listNames } from "../../settings/operator.ts";
import { type Environment, readSettings } from "../../settings/read.ts";
import { writePrivateFile } from "../process/running-file.ts";
import { connectDoctor, type ExaminedName, examineNames } from "./probe.ts";

export interface FixedIds {
  readonly file: string;
  /** The names of the file, those that were replaced with their id. */
  readonly names: readonly ExaminedName[];
}

/**
 * Writes GitHub's ids in the place of the names in the operator's file, and nothing else of it changes. Names without an id stay.
 *
 * @throws TollgateError `settings_invalid`; `usage` without an operator's file or an App
 */
export async function fixIds(environment: Environment): Promise<FixedIds> {
  const settings = readSettings(environment);
  const { operatorPath: file, namedOperator, github: credentials, githubUrl } = settings;
  if (file === undefined || credentials === null)
    throw new TollgateError("usage", "--fix-ids needs TOLLGATE_SETTINGS and the credentials of the App");
  if (namedOperator === undefined) return { file, names: [] };
  const dispatcher = new Agent();
  try {
    const github = connectDoctor({ credentials, githubUrl, dispatcher, clock: systemClock });
    const names = await examineNames(settings, listNames(namedOperator), github);
    const ids = new Map(names.flatMap((named) => (named.id === null ? [] : [[formatName(named), named.id]])));
    const { mode } = statSync(file);
    writePrivateFile(
      file,
      replaceNames(readFileSync(file, "utf8"), (named) => ids.get(formatName(named))),
      mode,
    );
    return { file, names };
  } finally {
    await dispatcher.destroy();
  }
}

/** Where names stand, as keys and positions in lists. */
const PLACES: readonly (readonly [NamedId["kind"], RegExp])[] = [
  ["account", /^(grants \d+ owner|(trusted_posters|admins) users \d+|notifications targets \d+ owners \d+)$/],
  ["repository", /^(grants \d+ repository|notifications targets \d+ repositories \d+)$/],
  ["app", /^trusted_posters apps \d+$/],
];

/** Returns the text of an operator's file with ids in the place of names; comments and layout stay. */
export function replaceNames(text: string, find: (named: NamedId) => number | undefined): string {
  const parts: string[] = [];
  let end = 0;
  visit(parseDocument(text), {
    Scalar: (key, { value, range }, ancestors) => {
      const path = [...ancestors, { key }].flatMap((node, at) => {
        if (isPair(node)) return [String(node.key)];
        const next = ancestors[at + 1];
        return isSeq(node) ? [next === undefined ? String(key) : String(node.items.indexOf(next))] : [];
      });
      const [kind] = PLACES.find(([, place]) => place.test(path.join(" "))) ?? [];
      if (kind === undefined || key === "key" || typeof value !== "string" || !range) return;
      const id = find({ kind, name: value.toLowerCase() });
      if (id === undefined) return;
      parts.push(text.slice(end, range[0]), String(id));
      end = range[1];
    },
  });
  return [...parts, text.slice(end)].join("");
}
