import { existsSync, readFileSync } from "node:fs";

// Loaded before a real process (`--import`): its clock differs from the machine's by the milliseconds that the file CLOCK_SHIFT has.
// What is monotonic goes on, as it does when somebody sets a clock.

const file = process.env["CLOCK_SHIFT"] ?? "";
const machine = Date;
let shiftMs = 0;
setInterval(() => {
  if (existsSync(file)) shiftMs = Number(readFileSync(file, "utf8"));
}, 20).unref();

class ShiftedDate extends Date {
  constructor(...given: readonly unknown[]) {
    // One value of any kind that Date takes; without any, the shifted now.
    super(...((given.length === 0 ? [machine.now() + shiftMs] : given) as [number]));
  }

  static override now(): number {
    return machine.now() + shiftMs;
  }
}
Object.assign(globalThis, { Date: ShiftedDate });
