/** A step of an address: a name and perhaps an instance key, in whose quotes a backslash hides the next character. */
const STEP = /([^.["\]]+)(?:\["(?:[^"\\]|\\.)*"\]|\[[^\]"]*\])?(?:\.|$)/sy;

/** The module that an address stands in, without instance keys (`web.db`); `root` for none. */
export function modulePath(address: string): string {
  if (!address.startsWith("module.")) return "root"; // most addresses, and much faster
  const steps: string[] = [];
  STEP.lastIndex = 0;
  for (let step = STEP.exec(address); step !== null; step = STEP.exec(address)) steps.push(step[1] ?? "");
  const modules: string[] = [];
  for (let index = 0; steps[index] === "module"; index += 2) modules.push(steps[index + 1] ?? "");
  return modules.join(".");
}
