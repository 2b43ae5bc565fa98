/** One pull request of the demo; its plans and estimates are in `examples/demo/<folder>`. */
export interface Scene {
  readonly folder: string;
  readonly title: string;
  readonly body: string;
  /** The file under `infra/` that the branch changes. */
  readonly file: { readonly path: string; readonly text: string };
}

export const WORKSPACES = ["production", "staging"] as const;

export const SCENES: readonly Scene[] = [
  {
    folder: "right-size",
    title: "Right-size the web tier and its database",
    body: "The new machines do the same work on half the cores.",
    file: { path: "infra/web.tf", text: 'instance_type = "m7g.xlarge"\n' },
  },
  {
    folder: "three-zones",
    title: "Run the shop in three zones",
    body: "Checkout must survive the loss of a zone.",
    file: { path: "infra/network.tf", text: 'zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]\n' },
  },
  {
    folder: "report-queue",
    title: "Move reports to a queue",
    body: "Reports no longer slow down checkout.",
    file: {
      path: "infra/reports.tf",
      text: 'module "queue" {\n  source = "registry.example.com/platform/queue/aws"\n}\n',
    },
  },
];
