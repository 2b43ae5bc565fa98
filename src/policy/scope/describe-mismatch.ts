import type { ScopeMismatch } from "../model/finding.ts";

/** The noun for the names in each member of a scope. */
export const MEMBER_NOUNS: { readonly [member in ScopeMismatch["member"]]: string } = {
  branches: "base branch",
  authors: "author",
  labels: "label",
  paths: "changed path",
  stages: "stage",
  workspaces: "workspace",
  modules: "module",
  resource_types: "resource type",
  providers: "provider",
};

/**
 * Describes why a rule is not applicable, for a terminal: `no stage matches prodution; here: production (did
 * you mean production?)`.
 */
export function describeMismatch({ member, patterns, here, more, meant, excluded }: ScopeMismatch): string {
  const found = here.length === 0 ? "none" : here.join(", ");
  const rest = more === 0 ? "" : ` and ${more} more`;
  const guess = meant === null ? "" : ` (did you mean ${meant}?)`;
  if (excluded === true)
    return `each ${MEMBER_NOUNS[member]} here is left out by not: ${patterns.join(", ")}; here: ${found}${rest}`;
  return `no ${MEMBER_NOUNS[member]} matches ${patterns.join(", ")}; here: ${found}${rest}${guess}`;
}
