/** A parsed address of a resource or an action, e.g. `module.web["eu.1"].data.aws_ami.this[0]`. */
export interface Address {
  /** Names of the modules from the root on, without instance keys. */
  readonly modules: readonly string[];
  readonly mode: "managed" | "data" | "action";
  readonly type: string;
  readonly name: string;
}

/** One step of an address: a name and its instance key as written (`"eu.1"`, `0`), null for none. */
interface AddressStep {
  readonly name: string;
  readonly key: string | null;
}

/**
 * Matches a name and an optional key in brackets: a number, a `*`, a text without quotes, or a quoted text in
 * which a backslash escapes the next character.
 */
const STEP = /([^.["\]\s]+)(?:\[("(?:[^"\\]|\\[\s\S])*"|'[^']*'|[^\]"'\s]+)\])?(\.|$)/y;

/** Ends the name of an object that the code forgets while another one takes its address. */
export const LEFT = " (no longer managed)";

/** Names an object that was replaced earlier and whose deletion failed. */
export const nameDeposed = (address: string, key: string): string => `${address} (deposed object ${key})`;

/** Returns the address of a deposed object's resource; null: the name is of no deposed object. */
export const parseDeposed = (name: string): string | null =>
  name.match(/^(.*) \(deposed object [^()]*\)$/s)?.[1] ?? null;

/** Parses a resource address; null: the text is not an address. */
export function parseAddress(text: string): Address | null {
  const steps = splitSteps(text.endsWith(LEFT) ? text.slice(0, -LEFT.length) : text);
  if (steps === null) return null;
  const modules: string[] = [];
  let at = 0;
  while (steps[at]?.name === "module" && steps[at]?.key === null) {
    const module = steps[at + 1];
    if (module === undefined) return null;
    modules.push(module.name);
    at += 2;
  }
  const prefix = steps.length - at === 3 ? steps[at]?.name : undefined;
  const mode = prefix === "data" || prefix === "action" ? prefix : "managed";
  return toResourceAddress(steps.slice(mode === "managed" ? at : at + 1), { modules, mode });
}

/**
 * Returns the module path of an address without instance keys (`web.db`); `root` for the root module and for
 * a text that is not an address.
 */
export function parseModulePath(address: string): string {
  return joinModulePath(parseAddress(address)?.modules ?? []);
}

/** Joins module names to the platform's form of a module path (`web.db`); `root` for the root module. */
export function joinModulePath(modules: readonly string[]): string {
  return modules.length === 0 ? "root" : modules.join(".");
}

const KEY = /\[\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|([^\]"']*))\s*\]/g;

/** Returns an address without its instance keys: that of the block in the code. */
export const stripKeys = (address: string): string => address.replace(KEY, "");

/** Returns one spelling of an address, for comparison only: tools write `["a"]`, `[a]`, `['a']`, `["0"]` and `[0]`. */
export const normaliseAddress = (address: string): string =>
  address.includes("[")
    ? address.replace(KEY, (_, double: string | undefined, single: string | undefined, bare = "") =>
        double === undefined
          ? `[${JSON.stringify((single ?? String(bare)).trim())}]`
          : `[${JSON.stringify(unquote(`"${double}"`))}]`,
      )
    : address;

/** Replaces the text inside every instance key of an address, however it is quoted, by the result of `replace`. */
export function mapKeys(address: string, replace: (key: string) => string): string {
  if (!address.includes("[")) return address;
  return address.replace(KEY, (whole, double?: string, single?: string, bare = "") => {
    const key = double === undefined ? (single ?? String(bare)) : unquote(`"${double}"`);
    const replaced = replace(key);
    return replaced === key ? whole : `[${JSON.stringify(replaced)}]`;
  });
}

function toResourceAddress(
  steps: readonly AddressStep[],
  rest: Pick<Address, "modules" | "mode">,
): Address | null {
  const [type, name] = steps;
  if (type === undefined || name === undefined || steps.length !== 2 || type.key !== null) return null;
  return { ...rest, type: type.name, name: name.name };
}

function splitSteps(text: string): readonly AddressStep[] | null {
  const steps: AddressStep[] = [];
  let at = 0;
  while (at < text.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    const name = match?.[1];
    if (match === null || name === undefined) return null;
    steps.push({ name, key: match[2] ?? null });
    at = STEP.lastIndex;
  }
  return text.endsWith(".") ? null : steps;
}

/** The text of a key; Terraform writes what would begin a template with its first character twice. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted)).replace(/([$%])\1\{/g, "$1{");
  } catch {
    return quoted.slice(1, -1);
  }
}
