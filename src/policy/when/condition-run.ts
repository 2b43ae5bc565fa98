import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import { type CostLimits, CostMeter } from "./cost.ts";
import { createValues, type Values } from "./values.ts";

/** Where an earlier try was stopped: the conditions from there on are left out. */
export interface ConditionStop {
  /** Counted from 1 in the order in which conditions are evaluated; 0: outside of any, and all are left out. */
  readonly position: number;
  readonly problem: string;
}

export interface ConditionRunOptions {
  readonly limits?: CostLimits;
  readonly stop?: ConditionStop | null;
  /** Expressions that are left out, each with the reason. */
  readonly leftOut?: ReadonlyMap<string, string>;
  /** Is told the position of the condition that is evaluated now, and 0 when none is. */
  readonly watch?: (position: number) => void;
}

/** The conditions of one policy over one report: what they may still cost, and which of them are left out. */
export class ConditionRun {
  readonly meter: CostMeter;
  readonly #options: ConditionRunOptions;
  readonly #values = new Map<Report, { readonly context: EvaluationContext; readonly values: Values }>();
  #position = 0;
  #stoppedAt: string | null = null;

  constructor(options: ConditionRunOptions = {}) {
    this.#options = options;
    this.meter = new CostMeter(options.limits);
  }

  /** The expression at which the conditions stop; null: it was not come to. */
  get stoppedAt(): string | null {
    return this.#stoppedAt;
  }

  /** Evaluates one condition, unless it is left out. */
  evaluate<T>(expression: string, work: (meter: CostMeter) => T): T | { readonly problem: string } {
    this.#position += 1;
    const problem = this.#problemOf(expression);
    if (problem !== null) return { problem };
    this.meter.startRule();
    this.#options.watch?.(this.#position);
    try {
      return work(this.meter);
    } finally {
      this.#options.watch?.(0);
    }
  }

  /** What conditions see of a report. Rules that look at the same one share it. */
  valuesOf(report: Report, context: EvaluationContext): Values {
    const known = this.#values.get(report);
    if (known?.context === context) return known.values;
    this.meter.charge(ELEMENT * (report.resources.length + report.rows.length + report.modules.length));
    const values = createValues(report, context);
    const [oldest] = this.#values.keys();
    if (this.#values.size >= KEPT && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(report, { context, values });
    return values;
  }

  #problemOf(expression: string): string | null {
    const { stop = null, leftOut } = this.#options;
    if (stop === null || this.#position < stop.position) return leftOut?.get(expression) ?? null;
    if (this.#position === stop.position) this.#stoppedAt = expression;
    return stop.position === 0 || this.#position === stop.position ? stop.problem : LEFT_OUT;
  }
}

/** Steps for each element that is made ready for conditions. */
const ELEMENT = 10;
/** Parts of a report that are kept ready. */
const KEPT = 4;

const LEFT_OUT =
  "it was not evaluated, because another condition of the policy took too long; see the finding that says so";
