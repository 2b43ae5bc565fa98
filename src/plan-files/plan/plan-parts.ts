import { z } from "zod";
import { areActionsKnown, isManaged } from "./actions.ts";

/** An optional text; null means absent. */
const stated = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const PlanChange = z.object({
  actions: z.array(z.string()),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  after_unknown: z.unknown().optional(),
  before_sensitive: z.unknown().optional(),
  after_sensitive: z.unknown().optional(),
  /** Present when an existing object is imported; its members do not matter. */
  importing: z.unknown().optional(),
  replace_paths: z.array(z.array(z.union([z.string(), z.number()]))).nullish(),
});
export type PlanChange = z.infer<typeof PlanChange>;

const PlanResource = z
  .object({
    /** Missing in the drift of format 0.1, where it is built from the other members. */
    address: stated,
    /** The object's address in the state, when the code moves it (a `moved` block). */
    previous_address: stated,
    module_address: z.string().nullish(),
    index: z.union([z.string(), z.number()]).nullish(),
    /** Missing in old plans, where it means `managed`. */
    mode: stated,
    type: stated,
    name: stated,
    provider_name: stated,
    /** Why the plan does this, e.g. `replace_because_tainted`. */
    action_reason: stated,
    /** Key of an object that was replaced earlier and whose deletion failed. */
    deposed: stated,
    change: PlanChange,
  })
  .transform((resource) => ({ ...resource, address: resource.address ?? composeAddress(resource) }));
export type PlanResource = z.infer<typeof PlanResource>;

const DeferredChange = z.object({ resource_change: PlanResource.optional() });

/** An action that the plan invokes (Terraform 1.14): at an event of a resource, or on request. */
const ActionInvocation = z.object({
  address: z.string(),
  type: stated,
  config_values: z.record(z.string(), z.unknown()).nullish(),
  config_sensitive: z.unknown().optional(),
  lifecycle_action_trigger: z
    .object({ triggering_resource_address: stated, action_trigger_event: stated })
    .nullish(),
});
export type ActionInvocation = z.infer<typeof ActionInvocation>;

const DeferredInvocation = z.object({ action_invocation: ActionInvocation.optional() });

const checked = {
  address: z.object({ to_display: stated }).nullish(),
  /** `pass`, `fail`, `error` or `unknown`. */
  status: stated,
};

/** A condition of the code, with each object that it was checked for. */
const Check = z.object({
  ...checked,
  instances: z
    .array(z.object({ ...checked, problems: z.array(z.object({ message: stated })).nullish() }))
    .nullish(),
});

/** A resource or data source of the state before the plan. */
const StateResource = z.object({
  address: z.string(),
  mode: stated,
  type: stated,
  name: stated,
  provider_name: stated,
  values: z.record(z.string(), z.unknown()).nullish(),
  sensitive_values: z.unknown().optional(),
});
export type StateResource = z.infer<typeof StateResource>;

const StateOutputs = z.record(
  z.string(),
  z.object({ sensitive: z.boolean().optional(), value: z.unknown().optional() }),
);

const VariableDeclarations = z.record(
  z.string(),
  z.object({ sensitive: z.boolean().optional(), default: z.unknown().optional() }),
);

/** A list; null instead of it or in it means nothing. */
const listWithoutNulls = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable())
    .nullish()
    .transform((all) => (all ?? []).filter((one) => one !== null));

/** The same for members by name. */
const mapOf = <T extends z.ZodType>(member: T) =>
  z
    .record(z.string(), member.nullable())
    .nullish()
    .transform(
      (all) =>
        new Map(Object.entries(all ?? {}).flatMap(([name, one]) => (one === null ? [] : [[name, one]]))),
    );

interface RawModule {
  readonly resources: readonly unknown[];
  readonly child_modules: readonly RawModule[];
}

const RawModule = z.object({
  resources: listWithoutNulls(z.unknown()),
  get child_modules(): z.ZodType<readonly RawModule[]> {
    return listWithoutNulls(RawModule);
  },
});

const listResources = ({ resources, child_modules: children }: RawModule): readonly unknown[] => [
  ...resources,
  ...children.flatMap(listResources),
];

/** The resources of a module and of those inside it. */
const resourcesOf = <T extends z.ZodType>(item: T) =>
  RawModule.nullish()
    .transform((module) => (module ? listResources(module) : []))
    .pipe(z.array(item));

/** Changes of resources. An unknown action may delete one, so it must not be ignored. */
const ChangedResources = z
  .array(
    PlanResource.refine(
      (one) => !isManaged(one) || areActionsKnown(one.change.actions),
      "does something that is not known",
    ),
  )
  .nullish()
  .transform((all) => all ?? []);

/**
 * The parts of a plan's JSON that are read (format versions 0.1 to 1.x of Terraform and OpenTofu). All other
 * members are skipped.
 */
export const PlanDocument = z.object({
  format_version: z.unknown().optional(),
  plan_format_version: z.unknown().optional(),
  errored: z.unknown().optional(),
  complete: z.unknown().optional(),
  resource_changes: ChangedResources,
  resource_drift: ChangedResources,
  deferred_changes: listWithoutNulls(DeferredChange),
  action_invocations: listWithoutNulls(ActionInvocation),
  deferred_action_invocations: listWithoutNulls(DeferredInvocation),
  checks: listWithoutNulls(Check),
  output_changes: mapOf(PlanChange),
  variables: mapOf(z.object({ value: z.unknown().optional() })),
  configuration: z
    .object({ root_module: z.object({ variables: VariableDeclarations.nullish() }).nullish() })
    .nullish(),
  planned_values: z
    .object({
      outputs: StateOutputs.nullish(),
      root_module: resourcesOf(z.object({ mode: z.unknown().optional() })),
    })
    .nullish(),
  prior_state: z
    .object({
      values: z
        .object({
          outputs: StateOutputs.nullish(),
          root_module: resourcesOf(StateResource),
        })
        .nullish(),
    })
    .nullish(),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

function composeAddress(resource: {
  readonly module_address?: string | null | undefined;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly index?: string | number | null | undefined;
}): string {
  const { module_address: module, type = "unknown", name = "unknown", index } = resource;
  const key = index === undefined || index === null ? "" : `[${JSON.stringify(index)}]`;
  return `${module == null ? "" : `${module}.`}${type}.${name}${key}`;
}
