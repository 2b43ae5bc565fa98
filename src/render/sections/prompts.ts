import type { GovernancePrompt } from "../../report/model/context.ts";
import { type Inline, name } from "../markup/escape.ts";

interface PromptsView {
  readonly count: number;
  readonly items: readonly {
    readonly description: Inline;
    readonly types: readonly { readonly type: Inline }[];
  }[];
  readonly more: number;
  readonly age: Inline | null;
}

const PROMPTS = 3;
const TYPES = 2;

/** The rules that governance suggests for touched resource types; null: none. */
export function promptsView(prompts: readonly GovernancePrompt[], age: Inline | null): PromptsView | null {
  if (prompts.length === 0) return null;
  const items = prompts.slice(0, PROMPTS).map(({ description, types }) => ({
    description: name(description),
    types: types.slice(0, TYPES).map((type) => ({ type: name(type) })),
  }));
  return { count: prompts.length, items, more: prompts.length - items.length, age };
}
