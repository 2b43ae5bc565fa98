import { formatPath, readYaml, type TextPosition, type ValuePath } from "../../kernel/yaml-tree.ts";
import { PartMember } from "../model/finding.ts";
import { PolicyFile } from "./schema.ts";

/** A pattern of a policy file that matches parts of pull requests, with its position. */
export interface PolicyPattern extends TextPosition {
  /** Where in the document, e.g. `rules[2].scope.stages[0]`. */
  readonly path: string;
  readonly member: Exclude<PartMember, "tags">;
  readonly pattern: string;
}

/** Lists each name and pattern of a policy file that matches stages or their parts; none when the file is invalid. */
export function listWrittenPatterns(text: string): readonly PolicyPattern[] {
  const tree = readYaml(text);
  if (!PolicyFile.safeParse(tree.value).success) return [];
  return listTexts(tree.value, []).flatMap(({ list, path, text: pattern }) => {
    const at = { path: formatPath(path), pattern };
    // Severities by stage: the pattern is a key.
    if (path.at(-2) === "enforce")
      return [{ ...at, ...tree.findKeyPosition(path.slice(0, -1), pattern), member: "stages" }];
    const member = path.at(-2) === "match" ? "workspaces" : NamedMember.safeParse(list).data;
    return member === undefined ? [] : [{ ...at, ...tree.findPosition(path), member }];
  });
}

const NamedMember = PartMember.exclude(["tags"]);

/** An account or a team that a policy file names, with its position. */
export interface WrittenPerson extends TextPosition {
  /** Where in the document, e.g. `rules[2].approve.teams[0]`. */
  readonly path: string;
  readonly kind: (typeof PEOPLE)[number];
  readonly name: string;
}

const isTagTeam = (path: ValuePath): boolean =>
  path.some((key, at) => key === "by_tag" && path[at + 1] === "teams");

const PEOPLE = ["authors", "users", "teams"] as const;

/** Lists the authors, approvers and teams that a valid policy file names. */
export function listWrittenPeople(text: string): readonly WrittenPerson[] {
  const tree = readYaml(text);
  return listTexts(tree.value, []).flatMap(({ list, path, text: name }) => {
    const kind = isTagTeam(path) ? "teams" : PEOPLE.find((one) => one === list);
    return kind === undefined ? [] : [{ kind, name, path: formatPath(path), ...tree.findPosition(path) }];
  });
}

interface WrittenText {
  /** The key of the list that has it; null: no list has it, or one of values of tags. */
  readonly list: string | null;
  readonly path: ValuePath;
  readonly text: string;
}

/** Every text of a document, and every key of the effects by stage. */
function listTexts(value: unknown, path: ValuePath): readonly WrittenText[] {
  if (typeof value !== "object" || value === null) {
    const isValue = path.slice(0, -1).some((key) => key === "tags" || key === "by_tag");
    const list = typeof path.at(-1) === "number" && !isValue ? String(path.at(-2)) : null;
    const text = path.at(-2) === "enforce" ? path.at(-1) : value;
    return [{ list, path, text: String(text) }];
  }
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, member]) =>
    listTexts(member, [...path, isList ? Number(key) : key]),
  );
}
