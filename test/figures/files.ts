import fc from "fast-check";

/** A price component of a generated resource. Prices and quantities are whole thousandths, so that sums stay exact. */
export interface Component {
  readonly name: string;
  readonly price: number;
  /** Null: nobody stated the usage. */
  readonly before: number | null;
  readonly after: number | null;
}

export type Action = "create" | "update" | "delete" | "replace" | "no-op";

export interface Resource {
  readonly address: string;
  readonly type: string;
  readonly action: Action;
  readonly components: readonly Component[];
}

/** One workspace: its priced resources, and how many that the estimator found and does not support. */
export interface Workspace {
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly unsupported: number;
}

export interface Change {
  readonly currency: string;
  readonly workspaces: readonly Workspace[];
}

const TYPES = ["cloud_disk", "cloud_server", "cloud_database"];
const MODULES = ["", "module.web.", 'module.zone["a"].module.db.'];

const quantity = fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 5_000 }));

const component = (usage: boolean): fc.Arbitrary<Omit<Component, "name">> =>
  fc.record({
    price: fc.integer({ min: 10, max: 90_000 }),
    before: usage ? fc.option(quantity, { freq: 6 }) : quantity,
    after: usage ? fc.option(quantity, { freq: 6 }) : quantity,
  });

const resource = (usage: boolean): fc.Arbitrary<Omit<Resource, "address"> & { readonly module: string }> =>
  fc.record({
    module: fc.constantFrom(...MODULES),
    type: fc.constantFrom(...TYPES),
    action: fc.constantFrom<Action>("create", "update", "delete", "replace", "no-op"),
    components: fc
      .array(component(usage), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one, at) => ({ ...one, name: `part ${at}` }))),
  });

/** What does not exist on a side has no quantity there; what stays has the same on both. */
function settled({ action, components }: Pick<Resource, "action" | "components">): readonly Component[] {
  if (action === "create") return components.map((one) => ({ ...one, before: 0 }));
  if (action === "delete") return components.map((one) => ({ ...one, after: 0 }));
  if (action === "no-op") return components.map((one) => ({ ...one, after: one.before }));
  return components;
}

const workspace = (usage: boolean): fc.Arbitrary<Omit<Workspace, "name">> =>
  fc.record({
    resources: fc.array(resource(usage), { maxLength: 6 }).map((all) =>
      all.map(({ module, type, action, components }, at) => ({
        address: `${module}${type}.r${at}`,
        type,
        action,
        components: settled({ action, components }),
      })),
    ),
    unsupported: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
  });

/** Random changes of one to three workspaces. `usage`: some components depend on usage that nobody stated. */
export const changes = ({ usage }: { readonly usage: boolean }): fc.Arbitrary<Change> =>
  fc.record({
    currency: fc.constantFrom("USD", "EUR", "JPY"),
    workspaces: fc
      .array(workspace(usage), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one, at) => ({ ...one, name: `stage-${at}` }))),
  });

type Side = "before" | "after";

const exists = ({ action }: Resource, side: Side): boolean =>
  action !== (side === "before" ? "create" : "delete");

/** Millionths of the currency per month; null: it depends on usage that nobody stated. */
const costOf = ({ price }: Component, quantity: number | null): bigint | null =>
  quantity === null ? null : BigInt(price) * BigInt(quantity);

const total = (costs: readonly (bigint | null)[]): bigint | null =>
  costs.every((cost) => cost === null) ? null : costs.reduce<bigint>((sum, cost) => sum + (cost ?? 0n), 0n);

const componentCost = (component: Component, side: Side) => costOf(component, component[side]);
const resourceCost = ({ components }: Resource, side: Side) =>
  total(components.map((one) => componentCost(one, side)));

/** Six decimals without the zeros at the end, as the estimator writes amounts. */
function written(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, "0");
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
  return millionths < 0n ? `-${text}` : text;
}

const orNull = (cost: bigint | null): string | null => (cost === null ? null : written(cost));

function breakdown(resources: readonly Resource[], side: Side): object {
  const present = resources.filter((one) => exists(one, side));
  return {
    resources: present.map((one) => ({
      name: one.address,
      resourceType: one.type,
      monthlyCost: orNull(resourceCost(one, side)),
      costComponents: one.components.map((part) => ({
        name: part.name,
        unit: "units",
        monthlyQuantity: part[side] === null ? null : written(BigInt(part[side] ?? 0) * 1000n),
        price: written(BigInt(part.price) * 1000n),
        monthlyCost: orNull(componentCost(part, side)),
        ...(part.before === null || part.after === null ? { usageBased: true } : {}),
      })),
      subresources: [],
    })),
    totalMonthlyCost: written(present.reduce((sum, one) => sum + (resourceCost(one, side) ?? 0n), 0n)),
  };
}

/** Real differences write what is not known as zero. */
function difference(resources: readonly Resource[]): object {
  const changed = resources.filter((one) => one.action !== "no-op");
  const at = (one: Resource, side: Side) => (exists(one, side) ? (resourceCost(one, side) ?? 0n) : 0n);
  const part = (one: Resource, side: Side, which: Component) =>
    exists(one, side) ? (componentCost(which, side) ?? 0n) : 0n;
  return {
    resources: changed.map((one) => ({
      name: one.address,
      resourceType: one.type,
      monthlyCost: written(at(one, "after") - at(one, "before")),
      costComponents: one.components.map((which) => ({
        name: which.name,
        unit: "units",
        monthlyCost: written(part(one, "after", which) - part(one, "before", which)),
      })),
      subresources: [],
    })),
    totalMonthlyCost: written(changed.reduce((sum, one) => sum + at(one, "after") - at(one, "before"), 0n)),
  };
}

const sumOf = (costs: readonly string[]): string =>
  written(costs.reduce((sum, cost) => sum + millionthsOf(cost), 0n));

/** The exact value of an amount that `written` wrote. */
export function millionthsOf(text: string): bigint {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const value = BigInt(whole + part.padEnd(6, "0"));
  return sign === "-" ? -value : value;
}

/** An Infracost file with a project for each workspace. */
export function estimateFile({ currency, workspaces }: Change): object {
  const projects = workspaces.map(({ name, resources, unsupported }) => ({
    name,
    metadata: { path: name },
    pastBreakdown: breakdown(resources, "before"),
    breakdown: breakdown(resources, "after"),
    diff: difference(resources),
    summary: {
      totalDetectedResources: resources.length + unsupported,
      totalSupportedResources: resources.length,
      totalUnsupportedResources: unsupported,
      unsupportedResourceCounts: unsupported === 0 ? {} : { cloud_unknown: unsupported },
    },
  }));
  const all = (member: "pastBreakdown" | "breakdown" | "diff") =>
    sumOf(projects.map((one) => (one[member] as { totalMonthlyCost: string }).totalMonthlyCost)); // as built above
  return {
    version: "0.2",
    currency,
    projects,
    pastTotalMonthlyCost: all("pastBreakdown"),
    totalMonthlyCost: all("breakdown"),
    diffTotalMonthlyCost: all("diff"),
  };
}

const ACTIONS: { readonly [action in Action]: readonly string[] } = {
  create: ["create"],
  update: ["update"],
  delete: ["delete"],
  replace: ["delete", "create"],
  "no-op": ["no-op"],
};

/** The plan of one workspace. */
export function planFile({ resources }: Workspace): object {
  return {
    format_version: "1.2",
    terraform_version: "1.9.0",
    resource_changes: resources.map(({ address, type, action }) => ({
      address,
      mode: "managed",
      type,
      name: address.split(".").at(-1),
      provider_name: "registry.example.org/acme/cloud",
      change: { actions: ACTIONS[action], before: {}, after: {} },
    })),
  };
}
