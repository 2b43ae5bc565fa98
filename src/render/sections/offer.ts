import { type Money, toPlaces } from "../../kernel/money.ts";
import type { ApprovalCommand, ApprovalOffer } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { type CodeBlock, formatCodeBlock, formatName, type Inline } from "../escape.ts";
import { getUsualPlaces } from "../format.ts";

/** The possible approvals, as commands that can be copied. */
export interface OfferView {
  /** True: approvals alone open the gate. */
  readonly approvable: boolean;
  /** The only command; null: there is none, or there are several. */
  readonly command: CodeBlock | null;
  /** Several commands, each for a separate comment. */
  readonly commands: readonly { readonly command: CodeBlock }[];
  /** Rules that can be approved, where other blocking rules cannot. */
  readonly approvableRules: readonly { readonly rule: Inline }[];
  /** Why rules that name approvers cannot be approved now; null: they can. */
  readonly refusal: ApprovalOffer["why"];
}

/** The view of the approvals that the policy would accept. Local files cannot be approved. */
export function buildOfferView({ pull, approvals: { offer } }: Evaluation): OfferView {
  if (offer === undefined) return NO_OFFER;
  const { commands, rules, opensGate, why } = offer;
  const texts = pull.local
    ? []
    : commands.map((command) => ({ command: formatCodeBlock(formatCommand(command, pull)) }));
  const [only] = texts;
  return {
    approvable: opensGate,
    command: texts.length === 1 && only !== undefined ? only.command : null,
    commands: texts.length > 1 ? texts : [],
    approvableRules: opensGate ? [] : rules.map((rule) => ({ rule: formatName(rule) })),
    refusal: why,
  };
}

const NO_OFFER: OfferView = {
  approvable: false,
  command: null,
  commands: [],
  approvableRules: [],
  refusal: null,
};

function formatCommand({ rules, upTo }: ApprovalCommand, { headSha, figures }: Evaluation["pull"]): string {
  const amount = upTo === null ? [] : ["up to", figures ? formatPlainAmount(upTo) : "AMOUNT"];
  return ["/tollgate approve", headSha, ...rules, ...amount, "REASON"].join(" ");
}

/**
 * An amount as an argument of a command: exact, because a rounded one could be less than the measured value.
 */
function formatPlainAmount({ amount, currency }: Money): string {
  const places = amount.split(".")[1]?.length ?? 0;
  return `${toPlaces(amount, Math.max(getUsualPlaces(currency), places))} ${currency}`;
}
