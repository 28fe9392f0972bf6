// Package yaml parses any text into a tree with an exact span for every key, value, item and
// comment.
//
// [Parse] never fails. Text that no parser accepts still gives a tree, and each [Problem] says what
// is wrong and what was left out. The library go.yaml.in/yaml/v4 does the parsing. This package
// adds what an editor needs: the end of every node and the targets of aliases. Package recover makes
// text with syntax errors readable for the library.
//
// JSON is a subset of YAML. [ParseJSON] builds the same nodes with encoding/json in a fraction of the
// time, because large eval files are JSON. [ParseJSONL] reads JSONL, one document a line.
//
// Plain scalars get their types from the core schema of YAML 1.2, as in the runners of eval files:
// `yes`, `1:30` and `2026-01-01` are strings, `0777` is 777.
//
// The package never writes YAML, never reads files, and knows nothing about evals.
package yaml
