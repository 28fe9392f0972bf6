import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";
import policies from "./policies.json" with { type: "json" };

// offline adds the worker that keeps the page for times without a network: it
// knows every built file, and a build with other files is another version.
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    generateBundle(_, bundle) {
      const files = ["./", "icon.svg", "manifest.webmanifest", ...Object.keys(bundle).filter((name) => name !== "index.html" && !name.endsWith(".map"))];
      const version = createHash("sha256").update(files.join("\n")).update(readFileSync("index.html")).digest("hex").slice(0, 16);
      const source = readFileSync("src/offline-worker.js", "utf8").replace("__VERSION__", version).replace("[/* __FILES__ */]", JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "offline-worker.js", source });
    },
  };
}

// early has the browser fetch at once what the page asks for only when its first
// scripts have run.
function early(): Plugin {
  return {
    name: "early",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((made) => made.type === "chunk");
        const known = new Set(chunks.filter((made) => made.isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]));
        return chunks.filter(({ fileName, code }) => !known.has(fileName) && code.length > 1000) // the others only name them
          .map(({ fileName }) => ({ tag: "link", attrs: { rel: "modulepreload", href: `./${fileName}` }, injectTo: "head" as const }));
      },
    },
  };
}

// policy puts the page's content security policy into it, for hosts that send none. Browsers ignore
// frame-ancestors there.
function policy(): Plugin {
  const content = policies.page.replace(/; frame-ancestors [^;]*/, "");
  return {
    name: "policy",
    apply: "build",
    transformIndexHtml: () => [{ tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content }, injectTo: "head-prepend" }],
  };
}

const moduleSize = (name: string): number => statSync(`../../wasm/npm/dist/${name}`).size;

// Names with a hash may be kept for ever; the page, its worker for offline use and
// the manifest keep theirs.
export default defineConfig({
  base: "./",
  define: { moduleSizes: { small: moduleSize("rubric-small.wasm"), whole: moduleSize("rubric.wasm") } }, // to show how much has been loaded
  plugins: [early(), offline(), policy()],
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 600 },
  worker: { format: "es" },
});
