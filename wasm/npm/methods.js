// Written by `make generate` from package wasm/api. Do not edit.
export const methods = ["check", "draft", "metric", "prompt", "score", "suite", "version"];
