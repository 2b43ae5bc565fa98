import type { Approval, Lapse } from "../../../../policy/model/approval.ts";
import { formatMoney } from "../../../../render/format/money.ts";
import { formatUtcTime } from "../../../../render/format/time.ts";
import { buildSortedTable, type PageTable } from "../../../page/sorted-table.ts";
import type { Column } from "../../../page/table.ts";
import type { PullSubject } from "../subject/pull-subject.ts";

interface ApprovalLine {
  readonly approval: Approval;
  /** Why it is no longer in force; null: it is. */
  readonly why: Lapse | null;
}

/** The approvals in force and those that ended, with their amounts. */
export function buildApprovalTable(subject: PullSubject): PageTable {
  const { approvals, pull } = subject.evaluation;
  const rows: readonly ApprovalLine[] = [
    ...approvals.live.map((approval) => ({ approval, why: null })),
    ...approvals.lapsed,
  ];
  return buildSortedTable(
    {
      prefix: "approvals",
      caption: "Approvals",
      columns: [...listColumns(subject), ...(pull.figures ? [AMOUNT, CURRENCY] : [])],
      rows,
      empty: "Nobody has approved anything.",
    },
    subject.address,
  );
}

const listColumns = ({ texts }: PullSubject): readonly Column<ApprovalLine>[] => {
  const describe = ({ approval, why }: ApprovalLine): string =>
    why === null
      ? "in force"
      : texts.describeLapse(
          why,
          approval.covered.map(({ rule }) => rule),
        );
  return [
    {
      key: "state",
      label: "State",
      cell: (line) =>
        line.why === null
          ? { text: "In force", icon: "check-circle", tone: "success" }
          : { text: "Ended", icon: "x", tone: "muted", note: describe(line) },
      value: describe,
    },
    {
      key: "approver",
      label: "By",
      cell: ({ approval }) => ({
        text: approval.approver.login,
        ...(approval.reason !== "" && { note: approval.reason }),
      }),
      value: ({ approval }) => approval.approver.login,
    },
    {
      key: "rules",
      label: "Rules",
      cell: ({ approval }) => ({ text: listRules(approval) }),
      value: ({ approval }) => listRules(approval),
    },
    {
      key: "given",
      label: "Given",
      cell: ({ approval }) => ({
        text: formatUtcTime(approval.givenMs),
        note: `for ${approval.headSha.slice(0, 8)}`,
      }),
      value: ({ approval }) => new Date(approval.givenMs).toISOString(),
    },
  ];
};

const listRules = ({ covered }: Approval): string => covered.map(({ rule }) => rule).join(", ");

const AMOUNT: Column<ApprovalLine> = {
  key: "up_to",
  label: "Up to",
  numeric: true,
  cell: ({ approval }) =>
    approval.upTo === null ? { text: "–", tone: "muted" } : { text: formatMoney(approval.upTo) },
  value: ({ approval }) => approval.upTo?.amount ?? null,
};

const CURRENCY: Column<ApprovalLine> = {
  key: "currency",
  label: "Currency",
  isExportOnly: true,
  cell: () => ({ text: "" }),
  value: ({ approval }) => approval.upTo?.currency ?? null,
};
