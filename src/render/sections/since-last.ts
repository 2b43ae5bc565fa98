import { compare, minus, ZERO } from "../../kernel/money.ts";
import type { Evaluation } from "../../policy/evaluation.ts";
import { type Cell, name } from "../escape.ts";
import { figuresOf } from "../figures.ts";
import { moneyStyle, placesToSee } from "../format/money.ts";
import type { Section, Subject } from "./section.ts";

/** Hex digits of a commit that are shown. */
const SHORT = 8;

/** How the cost of merging moved since the head before this one; only what is known of both is compared. */
export function sinceLastSection({ evaluation }: Subject): Section {
  return { template: "since-last", rows: 0, keep: false, view: () => view(evaluation) };
}

function view({ previous, report, pull }: Evaluation): object | null {
  if (previous === null || !pull.figures) return null;
  const moves = figuresOf(report).flatMap(({ total, places }) => {
    const before = previous.totals.find(({ currency }) => currency === total.currency);
    if (total.state !== "known" || before?.state !== "known") return [];
    if (total.change === null || before.change === null) return [];
    return [{ currency: total.currency, by: minus(total.change, before.change), places }];
  });
  if (moves.length === 0) return null;
  const moved = moves.filter(({ by }) => compare(by, ZERO) !== 0);
  return {
    head: name(previous.headSha.slice(0, SHORT)),
    changes: moved.map(({ currency, by, places }): { readonly change: Cell } => ({
      change: moneyStyle(currency, placesToSee([by], places)).change(by),
    })),
  };
}
