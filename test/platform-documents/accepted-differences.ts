/** A difference between what a document says and what is published, and where `docs/` gives the reason. */
export interface Accepted {
  /** Method and path of the operations that differ. */
  readonly of: RegExp;
  readonly what: RegExp;
  /** Absent: `platform-reference.md`. */
  readonly page?: string;
  /** A text of that page: the row that gives the reason. */
  readonly because: string;
}

const FLAGS = /\/cf\/admin\/apikey/;
const WEBHOOKS = /\/(har|code)\/api\/v1\//;
const CODE = /\/code\/api\/v1\//;
const COST = /\/gateway\/ccm\/api\//;
const SETTINGS = /\/settings\//;
const EXECUTIONS = /\{project\}\/executions/;
const ANY = /./;

export const ACCEPTED: readonly Accepted[] = [
  {
    of: ANY,
    what: /^errors: also (413|415)$/,
    because: "- **order of checks**: operation (404), token (401)",
  },
  {
    of: ANY,
    what: /^errors: also 499$/,
    because: "| connection ended early | 499 |",
  },
  {
    of: FLAGS,
    what: /^query: (also needs \w+Identifier|\w+Identifier required: true)$/,
    because: "- **which parameters are required**:",
  },
  {
    of: FLAGS,
    what: /^body: needs (identifier|name|type)$/,
    because: "- **create body**: `identifier`, `name` and `type` are needed",
  },
  {
    of: FLAGS,
    what: /^answer(\.apiKeys\[\])?: also (description|expiredAt)$/,
    because: "Answers hold it and the description too",
  },
  {
    of: FLAGS,
    what: /^errors: also 400$/,
    because: "- **numbers of the outcomes**: 400 on all five",
  },
  {
    of: FLAGS,
    what: /^errors: also 404$/,
    because: "- **unknown key**: 404 for get, update and delete",
  },
  {
    of: WEBHOOKS,
    what: /^errors: also (400|401|403|404|500)$/,
    because: "- **errors**: 400, 401, 403, 404, 500: the documents list none for webhooks",
  },
  {
    of: WEBHOOKS,
    what: /^errors: also 412$/,
    because: "- **secrets without `TOLLGATE_KEY`**: 412",
  },
  {
    of: /\/executions$/,
    what: /^query: also takes (page|size|limit)$/,
    because: "- **lists of executions**: `page` and sizes as in the list of webhooks",
  },
  {
    of: CODE,
    what: /^query: also needs accountIdentifier$/,
    because: "| code-hosting webhooks | none | query `accountIdentifier` |",
  },
  {
    of: CODE,
    what: /^query: also takes|^body: is not documented$/,
    because: "- **operations of code hosting**: the documents show methods and paths alone",
  },
  {
    of: COST,
    what: /^errors: also (401|403)$/,
    because: "Statuses that the documents do not name (401, 403, 404, 413, 415) have its Failure body.",
  },
  {
    of: COST,
    what: /^body: needs (columns|resources)$/,
    because: "- **members of the other bodies**:",
  },
  {
    of: /unit-metric/,
    what: /^query: also takes (timeTruncGroupBy|overrideFilter|searchKey|sortType|sortOrder)$/,
    because: "- **names of the parameters**:",
  },
  {
    of: /unit-metric/,
    what: /required: true$|^body: needs metric(Identifier|Name)$/,
    because: "- **needed members and parameters**:",
  },
  {
    of: SETTINGS,
    what: /^errors: also (400|401|403|404|408|409|423|500|502)$/,
    because: "- **errors**: those of the [executions](#executions)",
  },
  {
    of: SETTINGS,
    what: /^answer: also executed$/,
    because: "- `executed`: false in answers of the embedded platform",
  },
  {
    of: SETTINGS,
    what: /^body: also (enabled|ttl_value|ttl_unit)$/,
    because: "- **a write of what was read**: keeps all of it",
  },
  {
    of: EXECUTIONS,
    what: /^body: needs (pipeline|pipeline_execution_id|pipeline_stage_id|workspace|audit)$/,
    because: "- **needed members**:",
  },
  {
    of: /executions$/,
    what: /^query: also takes (workspace|pipeline|pipeline_execution_id|pipeline_name|status|start_time|end_time)$/,
    because: "- **list filters**:",
  },
  {
    of: EXECUTIONS,
    what: /^header: takes content-digest$/,
    page: "platform.md",
    because: "- `Content-Digest`: checked when",
  },
  {
    of: EXECUTIONS,
    what: /^header: takes content-length$/,
    page: "platform.md",
    because: "- **size header**: `Content-Length`",
  },
  {
    of: /\/rows$/,
    what: /^query: also takes (search|page_size)$/,
    because: "- **rows filters**:",
  },
  {
    of: EXECUTIONS,
    what: /also (takes )?(moved|previous_address)$/,
    because: "- **moved resources**: the documents have no word",
  },
  {
    of: EXECUTIONS,
    what: /also action_reason$/,
    because: "- **why a resource changes**: `action_reason`",
  },
  {
    of: EXECUTIONS,
    what: /also tags$/,
    because: "- **tags**: the documents have no word",
  },
  {
    of: EXECUTIONS,
    what: /also no_changes_by$/,
    because: "- **nothing to plan**: `no_changes_by`",
  },
  {
    of: /cost-changes/,
    what: /also estimate$/,
    because: "- **quantities**: the cost documents state amounts only",
  },
  {
    of: /cost-changes/,
    what: /^query: also takes (pipeline_stage_id|stack_path)$/,
    page: "platform.md",
    because: "- `cost-changes` without a stage:",
  },
];
