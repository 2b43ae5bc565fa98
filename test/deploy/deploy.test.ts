import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import manifest from "../../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const KUBERNETES = "deploy/kubernetes";

/** The documents of a YAML file; a mistake in it fails. Their shape is what each test expects of it. */
function readYaml(path: string) {
  return parseAllDocuments(read(path)).map((document) => {
    expect(document.errors, path).toEqual([]);
    return document.toJS();
  });
}

const [kustomization] = readYaml(`${KUBERNETES}/kustomization.yaml`);
const resources = kustomization.resources.flatMap((file: string) => readYaml(`${KUBERNETES}/${file}`));
const find = (kind: string) => resources.find((one: { kind: string }) => one.kind === kind);
const pod = find("Deployment").spec.template;
const [container] = pod.spec.containers;
const [compose] = readYaml("compose.yaml");
const dockerfile = read("Dockerfile").replaceAll("\\\n", " ");
const unit = read("deploy/systemd/tollgate.service");

/** Names of the assignments in an environment file, those in comments too. */
const listNames = (text: string): string[] =>
  [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = ""]) => name);

describe("the Kubernetes manifests", () => {
  test("kustomization.yaml lists every manifest of its folder", () => {
    const files = readdirSync(join(ROOT, KUBERNETES)).filter((name) => name.endsWith(".yaml"));
    expect(["kustomization.yaml", ...kustomization.resources].sort()).toEqual(files.sort());
  });

  test("Service, PodDisruptionBudget and spread select the pods of the Deployment, and the Ingress leads to them", () => {
    const { labels } = pod.metadata;
    expect(find("Deployment").spec.selector.matchLabels).toEqual(labels);
    expect(find("Service").spec.selector).toEqual(labels);
    expect(find("PodDisruptionBudget").spec.selector.matchLabels).toEqual(labels);
    expect(pod.spec.topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(labels);
    const [port] = find("Service").spec.ports;
    expect(container.ports).toEqual([
      { name: port.targetPort, containerPort: 3000 },
      { name: "metrics", containerPort: Number(pod.metadata.annotations["prometheus.io/port"]) },
    ]);
    expect(kustomization.configMapGenerator[0].literals).toContain("METRICS_PORT=9464");
    expect(find("Ingress").spec.rules[0].http.paths[0].backend.service).toEqual({
      name: find("Service").metadata.name,
      port: { name: port.name },
    });
  });

  test("the Deployment reads the settings and secrets that kustomize generates, and mounts what it names", () => {
    const maps = kustomization.configMapGenerator.map(({ name }: { name: string }) => name);
    const [secrets] = kustomization.secretGenerator;
    expect(container.envFrom).toEqual([
      { configMapRef: { name: maps[0] } },
      { secretRef: { name: secrets.name } },
    ]);
    const operator = pod.spec.volumes.find(
      (volume: { configMap?: object }) => volume.configMap !== undefined,
    );
    expect(maps[1]).toBe(operator.configMap.name);
    const names = ({ name }: { name: string }) => name;
    expect(container.volumeMounts.map(names)).toEqual(pod.spec.volumes.map(names));
    expect(kustomization.configMapGenerator[0].literals).toContain(
      `TOLLGATE_SETTINGS=${container.volumeMounts[0].mountPath}/${kustomization.configMapGenerator[1].files[0]}`,
    );
    expect(read(".gitignore").split("\n")).toContain(secrets.envs[0]);
  });

  test("its pods are restricted, and run as the user of the image", () => {
    expect(dockerfile).toContain(
      `USER ${pod.spec.securityContext.runAsUser}:${pod.spec.securityContext.runAsGroup}\n`,
    );
    expect(pod.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });
});

test("every variable in the files of deploy/ and compose.yaml is a setting or that of a known program", () => {
  const literals: string[] = kustomization.configMapGenerator[0].literals;
  const used = [
    ...listNames(literals.join("\n")),
    ...listNames(read(`${KUBERNETES}/secret.env.example`)),
    ...Object.keys(compose.services.tollgate.environment),
    ...[...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, all = ""]) =>
      all.split(" ").map((one) => one.split("=")[0]),
    ),
    ...[...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, all = ""]) =>
      all.split(" ").map((one) => one.split("=")[0]),
    ),
  ];
  const settings = read("docs/operations/settings.md");
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter((name) => name !== "NODE_ENV" && !settings.includes(`\`${name}\``))).toEqual([]);
});

describe("the image", () => {
  test("its build gets every file that the package contains, and none that git ignores", () => {
    const [first, ...rules] = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(first).toBe("*");
    const isSent = (path: string) => rules.includes(`!${path.split("/")[0]}`);
    const needed = [
      ...manifest.files,
      "package-lock.json",
      "tsconfig.build.json",
      "scripts",
      "LICENSE",
      "README.md",
    ];
    expect(needed.filter((path) => path !== "dist" && !isSent(path))).toEqual([]);
    expect([".env", "data", ".git", "node_modules", "key.pem"].filter(isSent)).toEqual([]);
  });

  test("it starts the command of the package, with the Node that the package asks for, as a user without rights", () => {
    expect(dockerfile).toContain(`ENTRYPOINT ["node", "/app/${manifest.bin.tollgate}"]`);
    expect(dockerfile).toMatch(new RegExp(`^FROM node:${manifest.engines.node.replace(">=", "")}-`, "m"));
    expect(dockerfile.split("FROM debian")[1]).not.toMatch(/^RUN /m);
  });
});

test("compose.yaml waits for a healthy database, and mounts files that exist", () => {
  const { tollgate, postgres } = compose.services;
  expect(tollgate.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  expect(postgres.healthcheck.test).toContain("pg_isready");
  const mounts = Object.values(compose.services).flatMap(
    (service) => (service as { volumes?: string[] }).volumes ?? [],
  );
  const [files, volumes] = [
    mounts.filter((one) => one.startsWith("./")),
    mounts.filter((one) => !one.startsWith("./")),
  ];
  expect(files.filter((one) => !existsSync(join(ROOT, one.split(":")[0] ?? "")))).toEqual([]);
  expect(volumes.map((one) => one.split(":")[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
});

const hasAnalyze = existsSync("/usr/bin/systemd-analyze");
test.skipIf(!hasAnalyze)("systemd accepts the unit", () => {
  const unitFile = join(ROOT, "deploy/systemd/tollgate.service");
  expect(existsSync(unitFile)).toBe(true);
  execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unitFile]);
});
