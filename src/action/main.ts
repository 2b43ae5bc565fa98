import { readCiEnvironment } from "../settings/ci.ts";
import { runAction } from "./run-action.ts";

process.exitCode = await runAction({
  environment: readCiEnvironment(),
  print: (line) => process.stdout.write(`${line}\n`),
  changeDirectory: (path) => process.chdir(path),
});
