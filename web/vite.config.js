// SPDX-License-Identifier: Apache-2.0
// One HTML file with script and style inside: dist/abut.html, which the C side fills with data, or with ABUT_PAGE=play the
// page of the playground.
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// What the pages share stands in head.html and body.html; a page says what may run scripts in it.
function shared() {
  return {
    name: "shared",
    transformIndexHtml: {
      order: "pre",
      handler(html) {
        return html
          .replace(/<!-- head\.html: (.*) -->/, (_, scripts) =>
            readFileSync("head.html", "utf8").replace("%scripts%", scripts),
          )
          .replace("<!-- body.html -->", () => readFileSync("body.html", "utf8"));
      },
    },
  };
}

// The licenses of what is inlined go along as a comment.
function licenses(packages) {
  return {
    name: "licenses",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const texts = packages.map((name) => `${name}\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`);
        const comment = `<!-- This page contains:\n${texts.join("\n").replaceAll("--", "- -")}-->\n`;
        return html.replace("</html>", () => `${comment}</html>`);
      },
    },
  };
}

export default defineConfig({
  plugins: [shared(), viteSingleFile({ removeViteModuleLoader: true }), licenses(["three", "uplot"])],
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    rolldownOptions: { input: `${process.env.ABUT_PAGE ?? "abut"}.html` },
  },
  test: { include: ["unit/*.test.ts"] },
});
