// Runs the Khronos glTF validator over files: node scripts/validate-gltf.mjs FILE…
// Needs the npm package `gltf-validator` where node finds it (NODE_PATH or a node_modules above).
// Exit code 1 if any file has errors.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const require = createRequire(process.cwd() + "/");
const validator = require("gltf-validator");
let failed = false;
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(file));
  const report = await validator.validateBytes(bytes, {
    uri: file,
    externalResourceFunction: async (uri) =>
      new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
  });
  const { numErrors, numWarnings, numInfos } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
  for (const m of report.issues.messages.filter((m) => m.severity === 0).slice(0, 10)) {
    console.log(`  ${m.code} at ${m.pointer ?? "?"}: ${m.message}`);
  }
  failed ||= numErrors > 0;
}
process.exit(failed ? 1 : 0);
