// Package yaml turns any text into a tree with an exact span for every key,
// value, item and comment.
//
// [Parse] never fails: text that no parser accepts still gives a tree, with
// [Problem]s that say what was wrong and what was recovered. go.yaml.in/yaml/v4
// does the parsing; this package adds what an editor needs and it does not
// give: where things end, where aliases lead, which lines had to be left out
// so that the rest could be read.
//
// Most YAML is mappings and lists by indentation, of values on one line and literal
// blocks. That much is read by a scanner of its own, [ParseBlock], which comes to the same
// nodes as the library several times as fast, and leaves it whatever else a text may have:
// comments, anchors, tags, folded lines, and all that is wrong.
//
// JSON is read as the YAML it is, and by a scanner of its own, [ParseJSON], which
// comes to the same nodes: large eval files are JSON, the library takes more than ten times
// as long for it, and the readers of the standard library do not say where a thing
// stands and are slower, too. JSONL is read by [ParseLines], one document a line.
//
// Plain scalars are typed by YAML 1.2's core schema, as the runners of eval
// files type them: `yes`, `1:30` and `2026-01-01` are strings, `0777` is 777.
//
// The package never writes YAML, never reads files, and knows nothing of evals.
package yaml
