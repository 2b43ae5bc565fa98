import { raw } from "hono/html";
import { type Html, html, icon } from "./html.ts";

/** The series of a chart in the order of their colours. */
export interface Chart {
  /** Words below the horizontal axis, one per point. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Formats a number of the vertical axis. */
  readonly formatAxis: (value: number) => string;
  /** What the chart shows, in one sentence, for readers who do not see it. The page shows the same data as a table. */
  readonly description: string;
}

export interface ChartSeries {
  readonly name: string;
  /** `steps`: a line that keeps its height until the next point. `stack`: bars on one another. */
  readonly kind: "bars" | "stack" | "line" | "steps";
  /** One per label; null: unknown, which leaves a gap. Rounded for drawing; a table has the exact amounts. */
  readonly values: readonly (number | null)[];
}

/** Primer's colours for data, which differ in lightness too. */
const SERIES_COLORS: readonly string[] = [
  "var(--data-blue-color-emphasis)",
  "var(--data-orange-color-emphasis)",
  "var(--data-green-color-emphasis)",
  "var(--data-purple-color-emphasis)",
  "var(--data-yellow-color-emphasis)",
  "var(--data-pink-color-emphasis)",
  "var(--data-teal-color-emphasis)",
  "var(--data-gray-color-emphasis)",
];

const WIDTH = 720;
const HEIGHT = 240;
const LABEL = { color: "var(--fgColor-muted)", hideOverlap: true };

/** Renders a chart as SVG whose colours are those of the page, light and dark. The content policy of pages allows all of it. Raw: ECharts escapes its labels. */
export async function renderChart({ labels, series, formatAxis, description }: Chart): Promise<Html> {
  const { init } = await import("./echarts.ts"); // 1.3 MB, loaded with the first chart
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption({
    animation: false,
    color: [...SERIES_COLORS],
    grid: {
      left: 8,
      right: 16,
      top: 16,
      bottom: 8,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    xAxis: {
      type: "category",
      data: [...labels],
      axisLabel: LABEL,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: "var(--borderColor-default)" } },
    },
    yAxis: {
      type: "value",
      axisLabel: { ...LABEL, formatter: formatAxis },
      splitLine: { lineStyle: { color: "var(--borderColor-muted)" } },
    },
    series: series.map((one, index) => toEchartsSeries(one, SERIES_COLORS[index % SERIES_COLORS.length])),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return raw(adaptSvg(svg, description));
}

function toEchartsSeries({ name, kind, values }: ChartSeries, color = "currentColor") {
  const own = { name, data: [...values], color, silent: true };
  if (kind === "bars" || kind === "stack")
    return { ...own, type: "bar" as const, barMaxWidth: 32, ...(kind === "stack" && { stack: "all" }) };
  return {
    ...own,
    type: "line" as const,
    symbol: "circle",
    symbolSize: 6,
    itemStyle: { color, borderColor: color },
    ...(kind === "steps" && { step: "end" as const }),
  };
}

/** Pages forbid styles in documents: fonts come from the stylesheet, and nothing happens when a pointer is above the chart. */
const adaptSvg = (svg: string, description: string): string =>
  svg
    .replaceAll(/<style[\s\S]*?<\/style>/g, "")
    .replaceAll(/ style="[^"]*"/g, "")
    .replaceAll(/ class="[^"]*"/g, "")
    .replace(
      /^<svg width="\d+" height="\d+"/,
      `<svg class="chart" role="img" ${html`aria-label="${description}"`}`,
    );

/** A chart with its title and the names of its series, which scrolls where it does not fit. */
export async function renderFigure(title: string, chart: Chart): Promise<Html> {
  const names = chart.series.map(({ name }) => name);
  return html`<figure>
<div class="scroll" tabindex="0" role="region" aria-label="${title}">${await renderChart(chart)}</div>
<figcaption><ul class="legend">${names.map((name, at) => html`<li><span class="series-${at}">${icon("dot-fill")}</span><bdi>${name}</bdi></li>`)}</ul></figcaption>
</figure>
`;
}
