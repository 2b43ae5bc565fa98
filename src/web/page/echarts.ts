import { BarChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BarChart, LineChart, GridComponent, SVGRenderer]);

/** Makes a chart, with the parts of ECharts that our charts need. A module of its own, so that it is loaded with the first chart only. */
export { init };
