/**
 * For each folder under src/: the folders that it may import. Any other import is an error.
 * @type {Record<string, string[]>}
 */
const MAY_IMPORT = {
  kernel: [],
  package: [],
  settings: ["kernel"],
  report: ["kernel"],
  policy: ["kernel", "report"],
  render: ["kernel", "report", "policy"],
  platform: ["kernel"],
  "plan-files": ["kernel", "platform/contract"],
  "platform-server": ["kernel", "platform/contract", "store"],
  github: ["kernel"],
  store: ["kernel", "report", "policy"],
  telemetry: ["kernel"],
  queue: ["kernel", "store", "telemetry"],
  deliveries: ["kernel", "github", "store", "queue", "telemetry", "evaluate/run"],
  sweep: ["kernel", "github", "store", "queue", "evaluate/run"],
  evaluate: ["kernel", "report", "policy", "render", "platform", "github", "store", "queue", "telemetry"],
  notifications: ["kernel", "policy", "render", "store", "queue", "telemetry"],
  web: ["kernel", "package", "report", "policy", "render", "store"],
  wiring: [".*"],
  cli: [
    "kernel",
    "package",
    "settings",
    "report",
    "policy",
    "render",
    "plan-files",
    "platform/contract",
    "platform/openapi",
    "wiring",
  ],
  action: ["kernel", "settings", "cli"],
};
const PURE = ["kernel", "report", "policy", "render", "plan-files"];
const PURE_PACKAGES = [
  "zod",
  "handlebars",
  "big[.]js",
  "yaml",
  "@marcbachmann/cel-js",
  "@bufbuild/re2",
  "lru-cache",
];

const UNIT = require("./test/unit-folders.json");

const folders = Object.entries(MAY_IMPORT).map(([folder, others]) => {
  const allowed = [folder, ...others].join("|");
  return {
    name: `folder-${folder}`,
    severity: "error",
    comment: `src/${folder} may import from ${[folder, ...others].join(", ")} only; let src/wiring pass it the rest.`,
    from: { path: `^src/${folder}/` },
    to: { path: "^src/", pathNot: `^src/(${allowed})/` },
  };
});

module.exports = {
  forbidden: [
    ...folders,
    {
      name: "sandbox-knows-no-tollgate",
      severity: "error",
      comment:
        "The stand-in for GitHub shares money, clocks and file paths with Tollgate, and nothing that it is meant to test.",
      from: { path: "^sandbox/" },
      to: { path: "^src/", pathNot: "^src/(kernel|package)/" },
    },
    {
      name: "only-the-demo-brings-the-sandbox",
      severity: "error",
      comment: "Production talks to GitHub; only the demo and the tests talk to the stand-in.",
      from: { path: "^src/", pathNot: "^src/wiring/" },
      to: { path: "^sandbox/" },
    },
    {
      name: "pure-folders-do-no-io",
      severity: "error",
      comment: "A pure folder takes its facts as arguments. Read and write in evaluate, web or cli.",
      from: { path: `^src/(${PURE.join("|")})/` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "pure-folders-use-vetted-packages",
      severity: "error",
      comment: "Other packages may bring clocks, randomness or I/O into a pure folder.",
      from: { path: `^src/(${PURE.join("|")})/` },
      to: { dependencyTypes: ["npm", "npm-dev"], pathNot: `^node_modules/(${PURE_PACKAGES.join("|")})/` },
    },
    {
      name: "undici-stays-in-platform",
      severity: "error",
      comment: "Only platform/ sends HTTP to the platform; wiring passes in the connection pools.",
      from: { pathNot: "^(src/(platform|platform-server|wiring)|test|bench)/" },
      to: { path: "^node_modules/undici/" },
    },
    {
      name: "sql-stays-in-store",
      severity: "error",
      comment:
        "Only store/ and queue/ know which database engine runs; areas of the platform write SQL with Kysely.",
      from: { pathNot: "^(src/(store|queue)|test|bench)/" },
      to: { path: "^node_modules/(pg|@electric-sql)/" },
    },
    {
      name: "unit-tests-stay-fast",
      severity: "error",
      comment:
        "A test in these folders runs with `npm run test:unit`: it reaches no database, sandbox, browser or process. Move it to another folder.",
      from: { path: `^test/(${UNIT.join("|")})/.*[.]test[.]ts$` },
      to: {
        path: "^src/store/open[.]ts$|^sandbox/sandbox[.]ts$|^test/world/engines[.]ts$|^node_modules/playwright-core/|^(node:)?child_process$",
        reachable: true,
      },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "folders-import-one-way",
      severity: "error",
      comment:
        "These folders import each other, directly or through others. Move what they share below both, or let the one that composes them pass it.",
      scope: "folder",
      from: { path: "^(src|sandbox)/" },
      to: { path: "^(src|sandbox)/", circular: true },
    },
    {
      name: "areas-keep-their-tables",
      severity: "error",
      comment:
        "The bot reads the platform through its contract. What both need to know of a project or a token is a table in src/store.",
      from: { path: "^src/(?!platform-server/|wiring/)" },
      to: { path: "^src/platform-server/" },
    },
    {
      name: "octokit-is-paced",
      severity: "error",
      comment: "Octokits are made by createOctokit, which paces every call of them.",
      from: { path: "^src/", pathNot: "^src/github/client/octokit[.]ts$" },
      to: { path: "node_modules/@octokit/(rest|core|request)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-orphans",
      severity: "error",
      comment: "Use it or delete it.",
      from: { orphan: true, path: "^(src|sandbox)/", pathNot: "[.]d[.]ts$" },
      to: {},
    },
    {
      name: "src-never-imports-test",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
