/** The text of a file. `binary`: the probable kind of a file that is not text. */
export type DecodedFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly guessedKind: string }
  | { readonly kind: "empty" };

const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly seems: string }[] = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    seems: "a binary plan (or another zip archive): run `terraform show -json FILE` first",
  },
  { bytes: [0x1f, 0x8b], seems: "a gzip archive: unpack it first" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], seems: "a zstd archive: unpack it first" },
  { bytes: [0x42, 0x5a, 0x68], seems: "a bzip2 archive: unpack it first" },
  { bytes: [0x25, 0x50, 0x44, 0x46], seems: "a PDF document" },
  { bytes: [0x89, 0x50, 0x4e, 0x47], seems: "a PNG picture" },
  { bytes: [0xff, 0xfe, 0x00, 0x00], seems: "text in UTF-32: save it as UTF-8" },
  { bytes: [0x00, 0x00, 0xfe, 0xff], seems: "text in UTF-32: save it as UTF-8" },
];

/**
 * Decodes bytes as UTF-8 or UTF-16 (little or big endian), with or without a byte-order mark. JSON starts with ASCII, so a zero byte among
 * the first two bytes indicates UTF-16 without a mark.
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  if (bytes.length === 0) return { kind: "empty" };
  const known = SIGNATURES.find(({ bytes: signature }) => signature.every((byte, at) => bytes[at] === byte));
  if (known !== undefined) return { kind: "binary", guessedKind: known.seems };
  const encoding = detectEncoding(bytes);
  if (encoding === "utf-8" && bytes.subarray(0, DETECTION_BYTES).includes(0))
    return { kind: "binary", guessedKind: "a binary file" };
  return { kind: "text", text: new TextDecoder(encoding).decode(bytes) };
}

/** In bytes. A text has no zero byte among them. */
const DETECTION_BYTES = 16;

function detectEncoding([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second !== 0 && second !== undefined) return "utf-16be";
  if (second === 0 && first !== 0) return "utf-16le";
  return "utf-8";
}

/** Returns the probable kind of a text that is not JSON, from its beginning; null: not recognised. */
export function guessTextKind(beginning: string): string | null {
  const text = beginning.replace(COLOURS, "").trimStart();
  return TEXTS.find(({ looks }) => looks.test(text))?.seems ?? null;
}

/** Returns the probable kind of a JSON object, from its top-level keys; null: not recognised. */
export function guessObjectKind(keys: ReadonlySet<string>): string | null {
  return OBJECTS.find((known) => known.keys.every((key) => keys.has(key)))?.seems ?? null;
}

/** Matches terminal colour codes, which tools write around words. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

const TEXTS: readonly { readonly looks: RegExp; readonly seems: string }[] = [
  { looks: /^<(!doctype html|html|head|body)\b/i, seems: "an HTML page (a sign-in or error page?)" },
  { looks: /^<\?xml|^<[a-z]/i, seems: "XML" },
  { looks: /^(#.*\n\s*)*version: *['"]?0\.\d+['"]?\s*\n(.*\n)*?resource_/, seems: "an Infracost usage YAML" },
  {
    looks: /^(#.*\n\s*)*version: *['"]?0\.\d+['"]?\s*\n(.*\n)*?projects:/,
    seems: "an Infracost configuration YAML",
  },
  { looks: /^version https:\/\/git-lfs/, seems: "a Git LFS pointer: fetch the file itself" },
  {
    looks:
      /^(Terraform|OpenTofu) (used|will|has)|^No changes\. |^Note: Objects have changed|^\S+: (Refreshing state|Reading)\b/,
    seems: "a plan printed for people: run `terraform show -json FILE`",
  },
  { looks: /^Name\s+Monthly Qty|^Project: /, seems: "an Infracost table: run it with `--format json`" },
  {
    looks:
      /^((#|\/\/).*\n\s*)*(resource|variable|module|provider|terraform|data|output|locals|import|moved|removed|check)\b[^\n:]*\{/,
    seems: "Terraform code",
  },
  { looks: /^(Error|╷|│ Error)/, seems: "an error message instead of the output of a command" },
  {
    looks: /^(#.*\n\s*)*version: *1\s*\n(.*\n)*?(rules|expect|stages|waivers):/,
    seems: "a policy file: give it with `--policy`",
  },
  { looks: /^---|^[A-Za-z_][\w-]*:(\s|$)/, seems: "YAML" },
];

const OBJECTS: readonly { readonly keys: readonly string[]; readonly seems: string }[] = [
  {
    keys: ["@level", "@message"],
    seems: "the log of `terraform plan -json`: run `terraform show -json PLANFILE` instead",
  },
  { keys: ["projects", "totalMonthlyCost"], seems: "an Infracost JSON" },
  { keys: ["projects", "currency"], seems: "a scan of Infracost 2" },
  {
    keys: ["resources", "totalMonthlyCost"],
    seems: "an Infracost JSON older than version 0.2: make it again with a newer release",
  },
  { keys: ["format_version", "planned_values"], seems: "a Terraform plan JSON" },
  { keys: ["format_version", "resource_changes"], seems: "a Terraform plan JSON" },
  { keys: ["plan_format_version"], seems: "a Terraform plan JSON" },
  { keys: ["resource_changes"], seems: "a part of a Terraform plan JSON" },
  { keys: ["serial", "lineage"], seems: "a Terraform state file" },
  { keys: ["format_version", "provider_schemas"], seems: "the output of `terraform providers schema -json`" },
  {
    keys: ["format_version", "values"],
    seems: "a Terraform state (`terraform show -json` of a state, not of a plan)",
  },
  { keys: ["valid", "diagnostics"], seems: "the output of `terraform validate -json`" },
  { keys: ["format_version", "terraform_version"], seems: "a Terraform state without resources" },
  {
    keys: ["steps", "config"],
    seems: "a preview of Pulumi: only plans of Terraform and OpenTofu are read",
  },
  { keys: ["AWSTemplateFormatVersion"], seems: "a CloudFormation template" },
  { keys: ["$schema", "runs"], seems: "a SARIF report" },
  { keys: ["resource"], seems: "Terraform code in JSON" },
  { keys: ["lockfileVersion"], seems: "a package lock file" },
  {
    keys: ["currency", "total_monthly_cost"],
    seems:
      "a cost change: of the platform's API, or by `infracost scan --diff`, which leaves out usage and what has no price",
  },
  { keys: ["resource_usage"], seems: "an Infracost usage file" },
  { keys: ["Currency", "Diff"], seems: "the figures that the platform's policy engine sees" },
  { keys: ["message", "documentation_url"], seems: "an error answer of an API" },
  { keys: ["error"], seems: "an error answer of an API" },
];

/** File names that state the kind of a file and not its subject. */
const GENERIC_NAMES =
  /^(tf|terraform|tofu|out|show)?-?_?(plan|tfplan|planfile|infracost|estimate|diff|breakdown|base|json)?$/i;

const ENDINGS = /(\.(json|tfplan|plan|tf|out))+$/i;

/**
 * Derives the unit of a plan from its path in a folder of plans: its path without endings, or its folder when the
 * file name is generic (`envs/prod/tfplan.json` is "envs/prod"); empty: a generic name in no folder.
 */
export function deriveUnitName(path: string): string {
  const steps = path.split(/[\\/]/);
  const name = (steps.pop() ?? "").replace(ENDINGS, "");
  return (GENERIC_NAMES.test(name) ? steps : [...steps, name]).join("/");
}

/**
 * Derives the subject of a plan or estimate file from its path: its name without endings, or the name of its
 * folder when the file name is generic (`envs/prod/plan.json` is "prod").
 */
export function deriveFileLabel(path: string): string {
  const steps = path.split(/[\\/]/).filter((step) => step !== "" && step !== "." && step !== "..");
  const file = steps.at(-1) ?? path;
  const name = file.replace(ENDINGS, "");
  const folder = steps.at(-2);
  if (folder !== undefined && GENERIC_NAMES.test(name)) return folder;
  return name === "" ? file : name;
}
