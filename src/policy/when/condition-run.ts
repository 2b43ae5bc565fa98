import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { FactName } from "../model/fact-names.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { type CostLimits, CostMeter } from "./cost.ts";
import { type ConditionValues, createValues } from "./values.ts";

/** The condition that stopped an earlier attempt: it and the following ones are skipped. */
export interface ConditionStop {
  /** Counted from 1 in evaluation order; 0: stopped outside of any condition, so all are skipped. */
  readonly position: number;
  readonly problem: string;
}

export interface ConditionRunOptions {
  readonly limits?: CostLimits;
  readonly stop?: ConditionStop | null;
  /** Skipped expressions, each with the reason. */
  readonly skipped?: ReadonlyMap<string, string>;
  /** Receives the position of the condition that is being evaluated, and 0 when none is. */
  readonly onPosition?: (position: number) => void;
}

type Reasons = readonly UndecidedReason[];

interface NeededFact {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly need: FactName;
}

/** What conditions have read of a report. */
interface ReadReport {
  readonly context: EvaluationContext;
  values: ConditionValues | null;
  readonly missing: Map<FactName, Reasons>;
}

/**
 * Evaluates the conditions of one policy on one report within their remaining budget, and skips some of them.
 */
export class ConditionRun {
  readonly meter: CostMeter;
  readonly #options: ConditionRunOptions;
  readonly #read = new Map<Report, ReadReport>();
  #position = 0;
  #stoppedAt: string | null = null;

  constructor(options: ConditionRunOptions = {}) {
    this.#options = options;
    this.meter = new CostMeter(options.limits);
  }

  /** The expression at which the conditions stop; null: it was not reached. */
  get stoppedAt(): string | null {
    return this.#stoppedAt;
  }

  /** Evaluates one condition, unless it is skipped. */
  evaluate<T>(expression: string, work: (meter: CostMeter) => T): T | { readonly problem: string } {
    this.#position += 1;
    const problem = this.#problemOf(expression);
    if (problem !== null) return { problem };
    this.meter.startRule();
    this.#options.onPosition?.(this.#position);
    try {
      return work(this.meter);
    } finally {
      this.#options.onPosition?.(0);
    }
  }

  /** The values that conditions read from a report; cached, so that rules on the same report share them. */
  getValues(report: Report, context: EvaluationContext): ConditionValues {
    const read = this.#getRead(report, context);
    if (read.values !== null) return read.values;
    this.meter.charge(ELEMENT_STEPS * (report.resources.length + report.rows.length + report.modules.length));
    read.values = createValues(report, context);
    return read.values;
  }

  /** Why a fact of a report is missing, as `list` says; cached like the values. */
  getMissing({ report, context, need }: NeededFact, list: () => Reasons): Reasons {
    const { missing } = this.#getRead(report, context);
    const reasons = missing.get(need) ?? list();
    missing.set(need, reasons);
    return reasons;
  }

  #getRead(report: Report, context: EvaluationContext): ReadReport {
    const known = this.#read.get(report);
    if (known?.context === context) return known;
    const [oldest] = this.#read.keys();
    if (this.#read.size >= MAX_CACHED && oldest !== undefined) this.#read.delete(oldest);
    const read: ReadReport = { context, values: null, missing: new Map() };
    this.#read.set(report, read);
    return read;
  }

  #problemOf(expression: string): string | null {
    const { stop = null, skipped: leftOut } = this.#options;
    if (stop === null || this.#position < stop.position) return leftOut?.get(expression) ?? null;
    if (this.#position === stop.position) this.#stoppedAt = expression;
    return stop.position === 0 || this.#position === stop.position ? stop.problem : LEFT_OUT_REASON;
  }
}

/** Steps for each element that is prepared for conditions. */
const ELEMENT_STEPS = 10;
/** Largest number of cached reports. */
const MAX_CACHED = 4;

const LEFT_OUT_REASON =
  "it was not evaluated, because another condition of the policy took too long; see the finding that says so";
