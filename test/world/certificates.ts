import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate with its key, both as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority of one test. */
export interface Authority {
  readonly cert: string;
  /** Issues a certificate for a host name that ends so many days from now. */
  issue(host: string, days?: number): Certificate;
}

export const isOpensslInstalled = (): boolean => spawnSync("openssl", ["version"]).status === 0;

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Makes an authority with the `openssl` of this machine. */
export function createAuthority(): Authority {
  const cert = withFolder((run, path) => {
    run(
      "req",
      "-x509",
      ...NEW_KEY,
      "-keyout",
      path("key"),
      "-out",
      path("cert"),
      "-subj",
      "/CN=Test authority",
    );
    return { key: readFileSync(path("key"), "utf8"), cert: readFileSync(path("cert"), "utf8") };
  });
  return {
    cert: cert.cert,
    issue: (host, days = 1) =>
      withFolder((run, path) => {
        writeFileSync(path("ca"), cert.cert);
        writeFileSync(path("ca-key"), cert.key);
        writeFileSync(path("names"), `subjectAltName=DNS:${host}`);
        run("req", ...NEW_KEY, "-keyout", path("key"), "-out", path("request"), "-subj", `/CN=${host}`);
        const issuer = [
          "-CA",
          path("ca"),
          "-CAkey",
          path("ca-key"),
          "-CAcreateserial",
          "-extfile",
          path("names"),
        ];
        run("x509", "-req", "-in", path("request"), ...issuer, "-days", String(days), "-out", path("cert"));
        return { key: readFileSync(path("key"), "utf8"), cert: readFileSync(path("cert"), "utf8") };
      }),
  };
}

function withFolder<T>(work: (run: (...words: string[]) => void, path: (name: string) => string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-tls-"));
  try {
    return work(
      (...words) => void execFileSync("openssl", words, { stdio: "ignore" }),
      (name) => join(folder, name),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
