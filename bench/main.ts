import { busy } from "./busy.ts";
import { deliveries } from "./deliveries.ts";
import type { Figure } from "./figures.ts";
import { burst, gate } from "./gate.ts";
import { large } from "./large.ts";
import { overview } from "./overview.ts";
import { page } from "./page.ts";
import { platform } from "./platform.ts";
import { rules } from "./rules.ts";
import { stalls } from "./stalls.ts";
import { start } from "./start.ts";

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  deliveries,
  busy,
  gate,
  burst,
  large,
  rules,
  overview,
  page,
  platform,
  start,
  stalls,
};

const asked = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  for (const { what, value, budget } of await bench()) {
    console.log(`  ${what.padEnd(58)} ${value.padStart(14)}   budget ${budget}`);
  }
}
