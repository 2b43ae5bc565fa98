import type { z } from "zod";
import { SENSITIVE } from "../../kernel/redact-credentials.ts";
import { shorten } from "../../kernel/shorten.ts";
import type { Category, PlanGaps, PlanNotes } from "../../platform/contract/resource-changes.ts";
import { joinModulePath, mapKeys, parseAddress } from "../address.ts";
import type { PathStep } from "../text/json-cutter.ts";
import { forEachSensitivePart, markSecretNames } from "./attribute-changes.ts";
import {
  ActionInvocation,
  Check,
  DeferredChange,
  DeferredInvocation,
  PlanChange,
  PlanResource,
  StateOutputs,
  StateResource,
  Variable,
  VariableDeclarations,
} from "./plan-parts.ts";
import {
  areActionsKnown,
  buildChangedRows,
  buildOutputRow,
  buildStateRow,
  deriveRowChanges,
  forEachSensitiveValue,
  hasAttributeChanges,
  isImporting,
  isManaged,
} from "./plan-rows.ts";
import { hasMarks, Secrets } from "./secrets.ts";
import type { DraftRow, PlanMask, PlanSnapshot } from "./snapshot-builder.ts";
import {
  ByteStore,
  buildCountsMarker,
  countPlanRows,
  createEmptyRows,
  finishRows,
} from "./snapshot-builder.ts";

/** Collects the parts of one plan in any order, and builds the snapshot when it is complete. */
export class PlanCollector {
  readonly #elements: boolean;
  /** How many rows with attribute changes still get an element when elements are not wanted. */
  #fewElements = 100;
  readonly #secrets = new Secrets();
  readonly #addSecret = (part: unknown) => this.#secrets.add(part);
  readonly #store = new ByteStore();
  readonly #rows = createEmptyRows();
  readonly #variables = new Map<string, unknown>();
  readonly #declared: VariableDeclarations = {};
  readonly #outputs = new Map<string, PlanChange>();
  readonly #sensitiveOutputs = new Set<string>();
  #errored = false;
  #isWhole = true;
  readonly #deferred: PlanGaps["deferred"] = [];
  #moreDeferred = 0;
  readonly #invocations: ActionInvocation[] = [];
  readonly #failedChecks: PlanNotes["failedChecks"]["listed"] = [];
  #moreFailedChecks = 0;
  /** Whether a managed resource exists after the plan. */
  #plansResources = false;
  /** Whether the tool may be too old to mark every secret; a plan without a version counts as old. */
  #isOld = true;

  constructor(elements: boolean) {
    this.#elements = elements;
  }

  /** Adds one parsed part with its path in the document. Throws a ZodError when its shape is wrong. */
  take(path: readonly PathStep[], part: unknown): void {
    const member = String(path.at(-1));
    if (part === null && !isChangePath(path)) return;
    switch (path[0]) {
      case "format_version":
      case "plan_format_version":
        this.#isOld = part === "0.1";
        break;
      case "errored":
        this.#errored = part === true;
        break;
      case "complete":
        this.#isWhole = part !== false;
        break;
      case "resource_changes":
        this.#changed(this.#resource(part), false);
        break;
      case "resource_drift":
        this.#changed(this.#resource(part), true);
        break;
      case "deferred_changes":
        this.#later(DeferredChange.parse(part).resource_change);
        break;
      case "action_invocations":
        this.#invocations.push(this.#invocation(ActionInvocation.parse(part)));
        break;
      case "deferred_action_invocations": {
        const { action_invocation: invocation } = DeferredInvocation.parse(part);
        this.#defer(invocation && this.#invocation(invocation).address, "invoked");
        break;
      }
      case "checks":
        this.#check(Check.parse(part));
        break;
      case "output_changes":
        this.#outputs.set(member, PlanChange.parse(part));
        break;
      case "variables":
        this.#variables.set(member, Variable.parse(part).value);
        break;
      case "planned_values":
        if (member === "mode") this.#plansResources ||= part === "managed";
        else this.#ofState(member, part);
        break;
      case "configuration":
        Object.assign(this.#declared, VariableDeclarations.parse(part));
        break;
      default:
        this.#ofState(member, part);
    }
  }

  /**
   * Builds the snapshot. `notes`: notes of the document's reader. `listsChanges`: the plan has its list of
   * changes. A plan with resources and without the list does not say that nothing changes. `isPart`: the file
   * is no plan as a tool writes it.
   */
  snapshot(
    notes: readonly string[],
    { listsChanges, isPart }: { readonly listsChanges: boolean; readonly isPart: boolean },
  ): PlanSnapshot {
    for (const [name, { sensitive, default: value }] of Object.entries(this.#declared)) {
      if (sensitive === true) this.#secrets.add([value, this.#variables.get(name)]);
    }
    for (const [name, output] of this.#outputs) this.#output(name, output);
    const rows = finishRows(this.#rows, this.#secrets, this.#store);
    const counts = countPlanRows(rows);
    const mask = (text: string) => this.#secrets.maskText(text);
    const maskKeys = (address: string) => mapKeys(address, (key) => this.#secrets.maskKey(key));
    if (this.#plansResources && !listsChanges) this.#isWhole = false;
    const incomplete = this.#gaps(maskKeys);
    return {
      errored: this.#errored,
      incomplete,
      isWhole: !this.#errored && incomplete === null && listsChanges && !isPart,
      rows,
      marker: buildCountsMarker(rows, counts, { incomplete, ...this.#notes({ mask, maskKeys }) }),
      counts,
      mask,
      maskKeys,
      notes: [...notes, ...(incomplete === null ? [] : [describeGaps(incomplete)])],
    };
  }

  /** A failed plan leaves out anything: that is its state, and no gap. */
  #gaps(maskKeys: PlanSnapshot["maskKeys"]): PlanGaps | null {
    if (this.#errored || (this.#isWhole && this.#deferred.length + this.#moreDeferred === 0)) return null;
    const deferred = this.#deferred.map(({ address, change }) => ({ address: maskKeys(address), change }));
    return { deferred, more: this.#moreDeferred };
  }

  #resource(part: unknown): PlanResource {
    const resource = PlanResource.parse(part);
    return this.#isOld ? { ...resource, change: markSecretNames(resource.change) } : resource;
  }

  #changed(resource: PlanResource, drift: boolean): void {
    forEachSensitivePart(resource.change, this.#addSecret);
    if (!isManaged(resource)) return;
    assertActionsKnown(resource);
    for (const row of buildChangedRows(resource, { elements: this.#wantsElement(resource), drift })) {
      const isChanged = row.change !== "unchanged";
      if (!drift) this.#keep("planned_changes", row);
      if (!drift && !isChanged) this.#keep("unchanged", row);
      if (drift && isChanged) this.#keep("drift_changes", row);
    }
  }

  #wantsElement(resource: PlanResource): boolean {
    if (this.#elements) return true;
    if (this.#fewElements === 0 || !hasAttributeChanges(resource)) return false;
    this.#fewElements -= 1;
    return true;
  }

  #later(resource: PlanResource | undefined): void {
    if (resource === undefined) {
      this.#defer();
      return;
    }
    forEachSensitivePart(resource.change, this.#addSecret);
    if (!isManaged(resource)) return;
    const { replaced, changes } = deriveRowChanges(resource.change.actions, isImporting(resource));
    for (const change of replaced ? (["replaced"] as const) : changes)
      this.#defer(resource.address, change === "unchanged" ? undefined : change);
  }

  /** Undefined: the plan does not say of which object, or what is deferred. */
  #defer(address?: string, change?: PlanGaps["deferred"][number]["change"]): void {
    if (address === undefined || change === undefined || this.#deferred.length >= MAX_LISTED)
      this.#moreDeferred += 1;
    else {
      this.#reserveKeys(address);
      this.#deferred.push({ address, change });
    }
  }

  /** Takes the sensitive values of what an action is called with. */
  #invocation(invocation: ActionInvocation): ActionInvocation {
    const { address, config_values: values, config_sensitive: sensitive_values } = invocation;
    forEachSensitiveValue({ address, values, sensitive_values } as StateResource, this.#addSecret);
    return invocation;
  }

  #check({ address, status, instances }: z.infer<typeof Check>): void {
    const all = instances != null && instances.length > 0 ? instances : [{ address, status, problems: [] }];
    for (const one of all.filter(({ status: own }) => own === "fail" || own === "error")) {
      if (this.#failedChecks.length >= MAX_LISTED) {
        this.#moreFailedChecks += 1;
        continue;
      }
      const messages = (one.problems ?? []).flatMap(({ message }) => message ?? []);
      const name = one.address?.to_display ?? address?.to_display ?? "a check";
      this.#failedChecks.push({ address: name, problems: messages });
    }
  }

  #notes({ mask, maskKeys }: PlanMask): Omit<PlanNotes, "incomplete"> {
    const listed = this.#invocations.slice(0, MAX_LISTED).map((invocation) => {
      const { address, lifecycle_action_trigger: trigger } = invocation;
      const parsed = parseAddress(address);
      return {
        address: maskKeys(address),
        type: invocation.type ?? parsed?.type ?? "",
        module: joinModulePath(parsed?.modules ?? []),
        resource: maskKeys(trigger?.triggering_resource_address ?? "") || null,
        event: trigger?.action_trigger_event ?? null,
      };
    });
    return {
      invocations: { listed, more: this.#invocations.length - listed.length },
      failedChecks: {
        listed: this.#failedChecks.map(({ address, problems }) => ({
          address: maskKeys(address),
          problems: problems.map((message) => shorten(mask(message), MAX_MESSAGE)),
        })),
        more: this.#moreFailedChecks,
      },
    };
  }

  #output(name: string, output: PlanChange): void {
    const marked = hasMarks([output.before_sensitive, output.after_sensitive]);
    const sensitive = marked || this.#sensitiveOutputs.has(name);
    if (sensitive) this.#secrets.add([output.before, output.after]);
    this.#keep("outputs", buildOutputRow(name, output, sensitive));
  }

  /** Adds a part of the state before or after the plan: its outputs, or one of its resources. */
  #ofState(member: string, part: unknown): void {
    if (member === "outputs") {
      for (const [name, { sensitive, value }] of Object.entries(StateOutputs.parse(part))) {
        if (sensitive !== true) continue;
        this.#sensitiveOutputs.add(name);
        this.#secrets.add(value);
      }
      return;
    }
    const resource = StateResource.parse(part);
    forEachSensitiveValue(resource, this.#addSecret);
    this.#keep(isManaged(resource) ? "resources" : "data_sources", buildStateRow(resource, this.#elements));
  }

  #keep(category: Category, row: DraftRow): void {
    this.#reserveKeys(row.address);
    if (row.previousAddress !== undefined) this.#reserveKeys(row.previousAddress);
    this.#rows[category].push({ ...row, element: this.#store.keep(row.element) });
  }

  /** Keeps what is masked later from reading like a key of the plan. */
  #reserveKeys(address: string): void {
    if (!address.includes(SENSITIVE)) return;
    mapKeys(address, (key) => {
      this.#secrets.reserveKey(key);
      return key;
    });
  }
}

/** Whether the part is a change in a list: there, null is an error and does not mean "no change". */
const isChangePath = (path: readonly PathStep[]): boolean =>
  path.length > 1 && (path[0] === "resource_changes" || path[0] === "resource_drift");

/** Throws for an unknown action: it may delete a resource, so it must not be ignored. */
function assertActionsKnown({ change: { actions } }: PlanResource): void {
  if (!areActionsKnown(actions)) throw new UnknownActionError();
}

/** A planned change has an action that no known tool writes. */
export class UnknownActionError extends Error {}

/** Most deferred changes, invocations and failed checks that are listed. */
const MAX_LISTED = 50;
/** In characters. Length of the message of a failed check. */
const MAX_MESSAGE = 500;

function describeGaps({ deferred, more }: PlanGaps): string {
  const count = deferred.length + more;
  if (count === 0)
    return "the plan is of a part of the code only: what it leaves out is not counted, and limits on counts are undecided";
  const what = count === 1 ? "one change is" : `${count} changes are`;
  return `${what} deferred to a later plan and not counted, so limits on counts are undecided`;
}
