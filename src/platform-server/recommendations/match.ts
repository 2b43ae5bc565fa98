import { createHash } from "node:crypto";
import type { CloudProvider } from "../../platform/contract/shapes/fields.ts";
import type { RecommendationRow } from "./wire-recommendation.ts";

/** A resource of infrastructure code in a request. */
export interface CodeResource {
  readonly provider: string;
  readonly type: string;
  readonly resourceId: string;
}

interface ReadableResource {
  readonly cloud: MatchedCloud;
  readonly id: ResourceId;
  /** Kinds of recommendation that are about the resource's type; null: the type is not known. */
  readonly kinds: readonly string[] | null;
}

export type CodeReading =
  | ReadableResource
  | { readonly status: "PARSE_ERROR" | "UNKNOWN_TYPE"; readonly message: string };

/** Parses a resource's identifier, or returns why no recommendation can be found for it. */
export function readResource({ provider, type, resourceId }: CodeResource): CodeReading {
  const cloud = findCloud(provider);
  if (cloud === "unreadable")
    return { status: "PARSE_ERROR", message: "the provider is neither a registry address nor a short name" };
  if (cloud === null)
    return { status: "UNKNOWN_TYPE", message: "there are no recommendations for resources of this provider" };
  const id = readResourceId(cloud, resourceId);
  if (id === null)
    return {
      status: "PARSE_ERROR",
      message: "the resource id is not written as this provider's cloud writes it",
    };
  return { cloud, id, kinds: listKinds(cloud, type) };
}

export const isReadable = (reading: CodeReading): reading is ReadableResource => "id" in reading;

/** Returns the lookup key of recommendations that may be for the resource; `isFor` then verifies them. */
export const getResourceKey = ({ id }: ReadableResource): string => toResourceKey(id.last);

/** Whether a recommendation is for the resource: everything that both sides state must agree. */
export function isFor(resource: ReadableResource, row: RecommendationRow): boolean {
  const { cloud, id } = resource;
  const known = isOfCloud(cloud, row) ? findResourceId(cloud, row) : null;
  if (known === null) return false;
  if (id.full !== null && known.full !== null) return id.full === known.full;
  return isOfKind(resource, row) && isSamePlace(id, row) && (isSame(id, known) || hasNamespace(id, row));
}

/** Of which at least one is short. */
function isSame(id: ResourceId, known: ResourceId): boolean {
  if (id.full !== null) return known.short === id.last;
  return id.short === (known.full === null ? known.short : known.last);
}

// What a cluster runs may also be booked on the cloud that the cluster is in.
const isOfCloud = (cloud: MatchedCloud, { cloud_provider }: RecommendationRow): boolean =>
  cloud_provider === null || cloud === "CLUSTER" || cloud_provider === cloud;

/** The identifier that a recommendation has. One that is not written as its cloud writes it is taken as a short one. */
function findResourceId(
  cloud: MatchedCloud,
  { resource_id, resource_name }: RecommendationRow,
): ResourceId | null {
  const text = resource_id ?? resource_name;
  if (text === null || text === "") return null;
  const compared = cloud === "CLOUD_2" ? text.toLowerCase() : text;
  return (
    readResourceId(cloud, text) ?? {
      full: null,
      short: compared,
      last: compared,
      account: null,
      region: null,
    }
  );
}

// Names such as "orders" are given to things of every kind; generated identifiers ("i-0a1b2c3d") only to one.
const GENERATED = /^[a-z]+-[0-9a-f]{8,17}$/;

const isOfKind = ({ kinds, id }: ReadableResource, { resource_type }: RecommendationRow): boolean =>
  kinds?.includes(resource_type) === true || (resource_type === "GOVERNANCE" && GENERATED.test(id.last));

function isSamePlace(id: ResourceId, { cloud_account_id, region }: RecommendationRow): boolean {
  const account =
    id.account === null || cloud_account_id === null || id.account === cloud_account_id.toLowerCase();
  // A zone's name begins with its region's.
  const place =
    id.region === null ||
    region === null ||
    `${id.region}-`.startsWith(`${region}-`) ||
    isZoneOf(id.region, region);
  return account && place;
}

const isZoneOf = (region: string, zone: string): boolean =>
  zone.startsWith(region) && /^-?[a-z]$/.test(zone.slice(region.length));

/** `namespace/name` of a workload against a recommendation that keeps both apart. */
const hasNamespace = (id: ResourceId, { namespace, resource_name }: RecommendationRow): boolean =>
  namespace !== null && resource_name !== null && id.short === `${namespace}/${resource_name}`;

/** A parsed resource identifier of a cloud. Unstated parts are null. */
interface ResourceId {
  /** The comparable form of an identifier that is unique in the whole cloud; null: it is not unique. */
  readonly full: string | null;
  /** The comparable form of a short identifier. */
  readonly short: string;
  /** The last part, which a short identifier of the same resource has too. */
  readonly last: string;
  readonly account: string | null;
  readonly region: string | null;
}

/**
 * Returns a key that groups identifiers of possibly one resource: a digest, because identifiers can exceed
 * the maximum size of an index entry.
 */
export const toResourceKey = (text: string): string =>
  createHash("sha256").update(getLastPart(text).toLowerCase()).digest("base64url").slice(0, 22);

const getLastPart = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf(":")) + 1);

const READERS: Readonly<Record<MatchedCloud, (text: string) => ResourceId | null>> = {
  CLOUD_1: (text) => (text.startsWith("arn:") ? readArn(text) : parseShortId(text)),
  CLOUD_2: readAzureId,
  CLOUD_3: readGoogleId,
  CLUSTER: (text) => (/^[^/]+(\/[^/]+){0,2}$/.test(text) ? parseShortId(text) : null),
};

/** Parses an identifier in its cloud's form; null: it has another form. */
const readResourceId = (cloud: MatchedCloud, text: string): ResourceId | null =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  text === "" || /[\s\u0000-\u001f\u007f]/.test(text) || getLastPart(text) === ""
    ? null
    : READERS[cloud](text);

const parseShortId = (text: string): ResourceId => ({
  full: null,
  short: text,
  last: getLastPart(text),
  account: null,
  region: null,
});

/** `arn:partition:service:region:account:resource`; region and account may be empty. */
function readArn(text: string): ResourceId | null {
  const found = /^arn:[a-z0-9-]+:[a-z0-9-]+:([a-z0-9-]*):([a-z0-9]*):.+$/i.exec(text);
  if (found === null) return null;
  return { ...parseShortId(text), full: text, region: found[1] || null, account: found[2] || null };
}

/** Upper and lower case are the same in it. */
function readAzureId(text: string): ResourceId | null {
  const found =
    /^\/subscriptions\/([^/]+)(?:\/resourcegroups\/[^/]+)?\/providers\/[^/]+(?:\/[^/]+\/[^/]+)+$/i.exec(text);
  if (found === null) return null;
  const lower = text.toLowerCase();
  return { ...parseShortId(lower), full: lower, account: found[1]?.toLowerCase() ?? null };
}

/** A path below `projects/`, perhaps behind a service's address; or a plain name. */
function readGoogleId(text: string): ResourceId | null {
  const path = text.replace(/^(?:https?:)?\/\/[^/]+\/(?:.*?\/)??(?=projects\/)/, "");
  if (!path.includes("/") && !path.includes(":")) return parseShortId(path);
  const found =
    /^projects\/([^/]+)(?:\/(?:zones|regions|locations)\/([^/]+)|\/global)?(?:\/[^/]+\/[^/]+)+$/.exec(path);
  if (found === null) return null;
  return { ...parseShortId(path), full: path, account: found[1] ?? null, region: found[2] ?? null };
}

/** Clouds whose resource identifiers in infrastructure code can be parsed. */
type MatchedCloud = Extract<CloudProvider, "CLOUD_1" | "CLOUD_2" | "CLOUD_3" | "CLUSTER">;

/** By the last part of a provider's registry address. */
const PROVIDERS: Readonly<Record<string, MatchedCloud>> = {
  aws: "CLOUD_1",
  awscc: "CLOUD_1",
  azurerm: "CLOUD_2",
  azapi: "CLOUD_2",
  google: "CLOUD_3",
  "google-beta": "CLOUD_3",
  kubernetes: "CLUSTER",
  "kubernetes-alpha": "CLUSTER",
};

const VIRTUAL_MACHINE = ["AZURE_VM", "AZURE_INSTANCE"];
const DATABASE = ["AZURE_DATABASE"];
const APP_SERVICE = ["AZURE_APP_SERVICE"];
const WORKLOAD = ["WORKLOAD"];
const NODE_POOL = ["NODE_POOL"];

/** Which kinds of recommendation are about a resource type of the code. A type that is missing here is not known. */
const KINDS: Readonly<Record<MatchedCloud, Readonly<Record<string, readonly string[]>>>> = {
  CLOUD_1: {
    aws_instance: ["EC2_INSTANCE", "EC2_INSTANCE_V2"],
    aws_spot_instance_request: ["EC2_INSTANCE", "EC2_INSTANCE_V2"],
    aws_autoscaling_group: ["EC2_AUTO_SCALING_GROUP"],
    aws_ebs_volume: ["EBS_VOLUME"],
    aws_db_instance: ["RDS_DB_INSTANCE", "RDS_DB_INSTANCE_STORAGE"],
    aws_rds_cluster_instance: ["RDS_DB_INSTANCE", "RDS_DB_INSTANCE_STORAGE"],
    aws_ecs_service: ["ECS_SERVICE"],
    aws_eks_node_group: NODE_POOL,
  },
  CLOUD_2: {
    azurerm_virtual_machine: VIRTUAL_MACHINE,
    azurerm_linux_virtual_machine: VIRTUAL_MACHINE,
    azurerm_windows_virtual_machine: VIRTUAL_MACHINE,
    azurerm_linux_virtual_machine_scale_set: ["AZURE_VMSS"],
    azurerm_windows_virtual_machine_scale_set: ["AZURE_VMSS"],
    azurerm_orchestrated_virtual_machine_scale_set: ["AZURE_VMSS"],
    azurerm_mssql_database: DATABASE,
    azurerm_mssql_managed_instance: DATABASE,
    azurerm_mysql_flexible_server: DATABASE,
    azurerm_postgresql_flexible_server: DATABASE,
    azurerm_cosmosdb_account: DATABASE,
    azurerm_storage_account: ["AZURE_STORAGE", "AZURE_FILES"],
    azurerm_storage_share: ["AZURE_FILES"],
    azurerm_service_plan: APP_SERVICE,
    azurerm_linux_web_app: APP_SERVICE,
    azurerm_windows_web_app: APP_SERVICE,
    azurerm_kubernetes_cluster_node_pool: NODE_POOL,
  },
  CLOUD_3: { google_container_node_pool: NODE_POOL },
  CLUSTER: Object.fromEntries(
    [
      "deployment",
      "stateful_set",
      "daemon_set",
      "daemonset",
      "replication_controller",
      "cron_job",
      "job",
    ].flatMap((kind) => ["", "_v1"].map((version) => [`kubernetes_${kind}${version}`, WORKLOAD])),
  ),
};

const ADDRESS = /^(?:[a-z0-9.-]+(?::\d+)?\/)?(?:[a-z0-9_-]+\/)?([a-z0-9_-]+)$/i;

/**
 * Returns the cloud of a provider: `registry.terraform.io/hashicorp/aws`, `hashicorp/aws` and `aws` are
 * equal. `unreadable`: not a provider's name; null: no recommendations exist for its resources.
 */
function findCloud(provider: string): MatchedCloud | "unreadable" | null {
  const name = ADDRESS.exec(provider)?.[1]?.toLowerCase();
  if (name === undefined) return "unreadable";
  return Object.hasOwn(PROVIDERS, name) ? (PROVIDERS[name] ?? null) : null;
}

/** Returns the kinds of recommendations for a resource type; null: the type is unknown. */
const listKinds = (cloud: MatchedCloud, type: string): readonly string[] | null =>
  Object.hasOwn(KINDS[cloud], type) ? (KINDS[cloud][type] ?? null) : null;
