/** A step of an address: a name and an optional instance key, in whose quotes a backslash escapes the next character. */
const STEP = /([^.["\]]+)(?:\["(?:[^"\\]|\\.)*"\]|\[[^\]"]*\])?(?:\.|$)/sy;

/** The module of an address, without instance keys (`web.db`); `root` for none. */
export function deriveModulePath(address: string): string {
  if (!address.startsWith("module.")) return "root"; // most addresses, and much faster
  const modules: string[] = [];
  STEP.lastIndex = 0;
  // What is behind the modules is not read: a report may have 100,000 addresses.
  while (STEP.exec(address)?.[1] === "module") {
    const name = STEP.exec(address)?.[1];
    modules.push(name ?? "");
    if (name === undefined) break; // it would begin again
  }
  return modules.join(".");
}

/** The canonical name of a module, however its source writes it: `module.web["eu"].module.db` is `web.db`, and nothing is `root`. */
export const normalizeModuleName = (stated: string): string =>
  stated === "" ? "root" : (findModulePath(stated) ?? stated);

/** The module of an address; null where it names none. */
export const findModulePath = (address: string): string | null =>
  address.startsWith("module.") ? deriveModulePath(address) : null;

/** The resource type of an address; empty where it has none. */
export function parseResourceType(address: string): string {
  const steps = splitAddress(address);
  const inside = steps.findIndex((step, index) => index % 2 === 0 && step !== "module");
  const own = inside < 0 ? [] : steps.slice(inside);
  return (own.length === 3 && own[0] === "data" ? own[1] : own.length === 2 ? own[0] : undefined) ?? "";
}

function splitAddress(address: string): readonly string[] {
  const steps: string[] = [];
  STEP.lastIndex = 0;
  for (let step = STEP.exec(address); step !== null; step = STEP.exec(address)) steps.push(step[1] ?? "");
  return steps;
}
