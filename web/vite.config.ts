// SPDX-License-Identifier: Apache-2.0
// One HTML file with script and style inside: dist/abut.html. The C side fills in the data.
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2022", outDir: "dist", emptyOutDir: true, rollupOptions: { input: "abut.html" } },
});
