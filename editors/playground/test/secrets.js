// The page's scanner, as Node runs it.
import { readFileSync } from "node:fs";
import ts from "typescript";

const source = ts.transpileModule(readFileSync("src/secrets.ts", "utf8"), { compilerOptions: { module: "esnext", target: "es2022" } }).outputText;
export const { secretIn } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
