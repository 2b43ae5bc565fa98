import { canonicalJson } from "../../kernel/canonical-json.ts";
import { NO_CONTEXT } from "../../report/model/context.ts";
import type { Upcast } from "./stored-json.ts";

/** An object of an earlier version. Its members are what that version wrote; the schema checks what becomes of them. */
type Members = Readonly<Record<string, unknown>>;

/** A value that is no object is left as it is, for the schema to refuse. */
const withMembers =
  (change: (members: Members) => Members): Upcast =>
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? change({ ...value }) : value;

const each =
  (change: Upcast): Upcast =>
  (value) =>
    Array.isArray(value) ? value.map(change) : value;

/** Changes these members, where they are there. */
const changeMembers = (changes: Readonly<Record<string, Upcast>>): Upcast =>
  withMembers((members) => ({
    ...members,
    ...Object.fromEntries(
      Object.entries(changes).flatMap(([name, change]) =>
        name in members ? [[name, change(members[name])]] : [],
      ),
    ),
  }));

/** Version 1 called the amounts of a change of cost "previous" and "current". */
export const renamedAmounts: Upcast = (value) => {
  if (Array.isArray(value)) return value.map(renamedAmounts);
  if (typeof value !== "object" || value === null) return value;
  const all = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, renamedAmounts(member)]),
  );
  const { previous, current, ...rest }: Members = all;
  return "previous" in all && "current" in all ? { before: previous, after: current, ...rest } : all;
};

/** Words of version 1 that have another name now. */
const APPROVAL_WORDS: Readonly<Record<string, string>> = {
  signer_contributed: "approver_contributed",
  signer_out: "approver_unauthorized",
  not_a_signer: "not_an_approver",
  not_judged: "not_evaluated",
};

const renamedWord: Upcast = (word) => (typeof word === "string" ? (APPROVAL_WORDS[word] ?? word) : word);

/** Version 1 called the outcome of the rules "judged". */
const renamedOutcome = withMembers((outcome) =>
  outcome["kind"] === "judged" ? { ...outcome, kind: "evaluated" } : outcome,
);

/** Version 1 wrote the figures in whatever order their members were in. */
const orderedFigures: Upcast = (text) =>
  typeof text === "string" ? canonicalJson(renamedAmounts(JSON.parse(text))) : text;

/** Version 1 called the approver "signer". */
export const upcastApproval: Upcast = (value) =>
  changeMembers({ figures: orderedFigures })(
    withMembers(({ signer, ...approval }) => ({ ...approval, approver: signer }))(value),
  );

export const upcastLapse = changeMembers({ kind: renamedWord });

const upcastLapsed = changeMembers({ approval: upcastApproval, why: upcastLapse });

const upcastApprovals = changeMembers({
  live: each(upcastApproval),
  lapsed: each(upcastLapsed),
  offer: changeMembers({ why: renamedWord }),
});

/** Early versions knew fewer facts about the context: nobody asked for the others. */
const addContext = changeMembers({
  context: withMembers((context) => ({ ...NO_CONTEXT, ...context })),
});

export const upcastEvaluation = changeMembers({
  report: (report) => addContext(renamedAmounts(report)),
  previous: renamedAmounts,
  lastKnown: renamedAmounts,
  situation: renamedOutcome,
  approvals: upcastApprovals,
  policyEdit: changeMembers({ outcome: renamedOutcome }),
});
