#!/usr/bin/env node
// JavaScript, so that an older Node reads it and can say what is wrong: it loads no TypeScript, and lacks what the rest imports.
if (Number.parseInt(process.version.slice(1), 10) >= 24) {
  await import("./main.ts");
} else {
  process.stderr.write(
    `tollgate: Tollgate needs Node 24 or newer; this is ${process.version}. ` +
      "Install it from https://nodejs.org; in a checkout, `npm ci` and the npm scripts bring their own.\n",
  );
  process.exitCode = 2;
}
