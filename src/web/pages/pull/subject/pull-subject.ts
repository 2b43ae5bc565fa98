import type { Evaluation } from "../../../../policy/model/evaluation.ts";
import { createMoneyStyle, type MoneyStyle } from "../../../../render/format/money.ts";
import type { PageTextLinks } from "../../../../render/page/page-sections.ts";
import { createSubject, type Subject } from "../../../../render/sections/section.ts";
import type { InstalledRepository } from "../../../../store/installations.ts";
import { formatAddress, type PageAddress } from "../../../page/address.ts";
import type { PageDeps } from "../../../page/page.ts";
import type { PageTable } from "../../../page/sorted-table.ts";
import type { ReadEvaluation } from "./evaluation-cache.ts";

/** The views of an evaluation, each with an address of its own. */
export const PULL_VIEWS = ["overview", "resources", "modules", "rules", "facts", "history"] as const;
export type PullViewName = (typeof PULL_VIEWS)[number];

/** What every view of a pull request's page shows something of. */
export interface PullSubject extends Pick<PageDeps, "db" | "texts" | "github"> {
  readonly repository: InstalledRepository;
  readonly number: number;
  readonly address: PageAddress;
  readonly links: PageTextLinks;
  readonly nowMs: number;
  readonly evaluation: Evaluation;
  readonly read: ReadEvaluation;
  readonly evaluationId: number;
  /** The format of a currency's amounts. */
  readonly money: (currency: string) => MoneyStyle;
}

/** One view: its template with its values, and the tables that can be had as files. */
export interface PullView {
  readonly template: string;
  readonly view: object;
  readonly tables: readonly PageTable[];
}

/** Returns the formats of currencies; making one is slow, so each is made once. */
export function createMoneyStyles(): PullSubject["money"] {
  const styles = new Map<string, MoneyStyle>();
  return (currency) => {
    const style = styles.get(currency) ?? createMoneyStyle(currency);
    styles.set(currency, style);
    return style;
  };
}

/** Returns a link to a view of the same evaluation, with these members in its query only. */
export const linkToView = (
  { path }: PageAddress,
  view: PullViewName | "resource",
  query: Readonly<Record<string, string>> = {},
): string => formatAddress({ path, query: {} }, { ...(view !== "overview" && { view }), ...query });

/** What the comment's functions for addresses need. */
export const createTextSubject = ({
  evaluation,
  links,
}: Pick<PullSubject, "evaluation" | "links">): Subject =>
  createSubject(evaluation, { ...links, details: null, recheck: true });
