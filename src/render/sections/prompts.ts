import type { GovernancePrompt } from "../../report/model/context.ts";
import { formatName, type Inline } from "../markup/escape.ts";

interface PromptsView {
  readonly count: number;
  readonly items: readonly {
    readonly description: Inline;
    readonly types: readonly { readonly type: Inline }[];
  }[];
  readonly more: number;
  readonly age: Inline | null;
}

const MAX_PROMPTS = 3;
const MAX_TYPES = 2;

/** The rules that governance suggests for touched resource types; null: none. */
export function buildPromptsView(
  prompts: readonly GovernancePrompt[],
  age: Inline | null,
): PromptsView | null {
  if (prompts.length === 0) return null;
  const items = prompts.slice(0, MAX_PROMPTS).map(({ description, types }) => ({
    description: formatName(description),
    types: types.slice(0, MAX_TYPES).map((type) => ({ type: formatName(type) })),
  }));
  return { count: prompts.length, items, more: prompts.length - items.length, age };
}
