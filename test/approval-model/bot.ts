import { DAY_MS } from "../../src/kernel/clock.ts";
import type { Objections } from "../../src/policy/approvals/apply-objections.ts";
import type { Approval, ApprovalGround } from "../../src/policy/model/approval.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import type { Rule } from "../../src/policy/model/policy.ts";
import type { Core } from "./core.ts";
import { type EvaluatedFacts, evaluateFacts } from "./expected-evaluation.ts";
import { Overrides } from "./overrides.ts";
import { CODE_OWNERS, type Comment, type Delivery, type Moment, type Team, type World } from "./world.ts";

interface StoredState {
  readonly approval: Approval;
  state: "live" | "revoked" | "lapsed";
}

/** The App with nothing but a memory: the real decisions, made on what the world shows when a delivery arrives. */
export class Bot {
  readonly #core: Core;
  readonly #world: World;
  readonly #kept: StoredState[] = [];
  readonly overrides: Overrides;
  /** What GitHub shows: conclusions by head and base branch. */
  readonly #checks = new Map<string, string>();
  /** The world at each time that a verdict was made, and at each time that a comment was acted on. */
  readonly revocations = new Set<number>();
  readonly history: { readonly moment: Moment; readonly comment: number | null; readonly atMs: number }[] =
    [];
  /** When each head first had a verdict, by head and base branch. */
  readonly #evaluatedMs = new Map<string, number>();

  constructor(core: Core, world: World) {
    this.#core = core;
    this.#world = world;
    this.overrides = new Overrides(core);
  }

  /** Whether GitHub, which requires the base branch's check on the head, would allow the merge. */
  get isOpen(): boolean {
    const { head, base } = this.#world.now;
    return ["success", "neutral"].includes(this.#checks.get(`${head} ${base}`) ?? "none");
  }

  /** Whether the verdict that stands rests on signatures. */
  isSigned = false;
  /** Whether an override lets the check pass. */
  isOverridden = false;

  takes(delivery: Delivery): void {
    if (delivery !== "pull") this.#acts(delivery);
    this.#judges();
  }

  #acts(from: Comment): void {
    const { id, by, body, writtenMs } = from;
    const read = this.#core.readCommand(body);
    if (read.state !== "command") return;
    const { command } = read;
    if (command.verb === "revoke") {
      for (const kept of this.#kept) if (kept.approval.approver.id === by) kept.state = "revoked";
      this.overrides.end(({ person }) => person.id === by);
      this.revocations.add(id);
      this.#remember(id);
    }
    if (command.verb === "override") {
      this.overrides.give(from, command, this.#world.now, this.#checkWithoutOverride());
      this.#remember(id);
    }
    if (command.verb !== "approve") return;
    const { head, teams, base } = this.#world.now;
    const judged = this.#evaluates();
    const isRule = (name: string) => judged.policy.rules.some((rule) => rule.id === name);
    const words =
      command.rules === null
        ? this.#core.splitReason(command.reason, isRule)
        : { rules: command.rules, reason: command.reason };
    if (words.reason === "") return;
    const groupsOf = ({ approve }: Rule) =>
      (approve?.groups ?? []).flatMap((group, index) =>
        group.teams.some((team) => team in teams && teams[team as keyof typeof teams].has(by)) ? [index] : [],
      );
    const given = this.#core.giveApproval(
      {
        id: `comment:${id}`,
        source: "comment",
        approver: { id: by, login: `user${by}` },
        sha: command.sha,
        upTo: command.upTo,
        untilMs: command.untilMs ?? null,
        createdMs: writtenMs,
        approvedMs: id,
        ...words,
      },
      {
        rules: judged.policy.rules,
        findings: judged.verdict.findings,
        ground: this.#groundOf(judged),
        headSha: head,
        evaluatedMs: this.#evaluatedMs.get(`${head} ${base}`) ?? null,
        getGroups: groupsOf,
      },
    );
    this.#remember(id);
    if (given.state === "approved") this.#kept.push({ approval: given.approval, state: "live" });
  }

  #checkWithoutOverride() {
    const judged = this.#evaluates();
    const live = this.#kept.filter(({ state }) => state === "live");
    const { rules } = judged.policy;
    const { findings } = judged.verdict;
    const approved = this.#core.applyApprovals(
      live.map(({ approval }) => approval),
      { rules, findings, ground: this.#groundOf(judged) },
    );
    const { verdict, approvals } = this.#core.applyObjections(approved, this.#objectionsTo(rules, findings));
    return { situation: { kind: "evaluated", verdict } as const, approvals, live };
  }

  #objectionsTo(rules: readonly Rule[], findings: readonly Finding[]): Objections {
    const { objectors, teams } = this.#world.now;
    const heard = this.#core.selectObjectionRules(rules, findings).map((rule) => {
      const own = [...objectors].flatMap((id) => {
        const isIn = (team: string) => team in teams && teams[team as Team].has(id);
        const by = { id, login: `user${id}` };
        return (
          this.#core.findObjection(rule, by, (group) => (group.teams.some(isIn) ? "named" : "not_named")) ??
          []
        );
      });
      return [rule.id, own] as const;
    });
    return new Map(heard.filter(([, own]) => own.length > 0));
  }

  #evaluates(): EvaluatedFacts {
    const { text } = CODE_OWNERS[this.#world.now.owners];
    const query = { file: "CODEOWNERS", text, paths: ["a", "b"], organisation: "acme", groups: 1 };
    return evaluateFacts(this.#world.now, this.#core.findFileOwners(query));
  }

  #groundOf({ ground, figures }: EvaluatedFacts): ApprovalGround {
    const { base: baseRef, contributors, day } = this.#world.now;
    return { baseRef, ground, figures, contributors, nowMs: day * DAY_MS };
  }

  #judges(): void {
    const { head, base } = this.#world.now;
    const { situation, approvals, live } = this.#checkWithoutOverride();
    for (const kept of live)
      if (approvals.lapsed.some(({ approval }) => approval.id === kept.approval.id)) kept.state = "lapsed";
    this.isSigned = situation.verdict.findings.some(({ approved }) => approved);
    const override = this.overrides.recheck(this.#world.now);
    this.isOverridden = override !== null && this.#core.determineHold(situation, approvals) === "held";
    const decision = this.#core.decideCheck(situation, approvals, override);
    this.#checks.set(
      `${head} ${base}`,
      decision.status === "completed" ? decision.conclusion : decision.status,
    );
    const evaluated = `${head} ${base}`;
    const atMs = this.#remember(null);
    if (!this.#evaluatedMs.has(evaluated)) this.#evaluatedMs.set(evaluated, atMs);
    this.overrides.sees(this.#world.now, atMs);
  }

  #remember(comment: number | null): number {
    const atMs = this.#world.nextMs();
    this.history.push({ moment: this.#world.now, comment, atMs });
    return atMs;
  }
}
