import type { LabelsOf, MetricName } from "../../telemetry/metric-table.ts";

/** A value that is read when somebody asks for the metrics. */
export interface GaugeSample {
  readonly name: MetricName<"gauge">;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Builds a sample whose labels are those of its metric. */
export const buildSample = <Name extends MetricName<"gauge">>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): GaugeSample => ({ name, labels, value });
