// Package agentv is AgentV's eval files in the dialect of early 2026: `evalcases`
// with `expected_outcome` and `rubrics`, in YAML or JSONL, and the targets and
// configuration files beside them.
//
// [Lower] reads a tree as the reference implementation's loader does, including
// all that it skips, coerces and refuses, and remembers each such thing as a
// loss, so that what is graded here is what is graded there, and nothing is
// lost in silence. The field tables say what may stand in a file; package
// reference says what the reference implementation's own validator would.
//
// The package reads trees only: it opens no file and words no diagnostic.
package agentv
