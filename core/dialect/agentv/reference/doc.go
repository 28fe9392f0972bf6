// Package reference says what the reference implementation's own `agentv
// validate` would say of a file: for those who have to please it too, and as
// the proof that its checks are understood.
//
// It is narrower than our rules in most places (no rubric is looked at) and
// stricter in some: it rejects messages that its own loader reads, and its
// YAML reader does not know merge keys. Findings come in its order. The package
// opens no file; whether one exists it is told.
//
// [Eval], [Targets], [Config] and [FileRefs] are the seed's. [EvalAt] asks the
// newer versions as well, which know merge keys: 4.42.4 warns of keys that it
// does not read, the one of July 2026 refuses them, and with them every file
// that an older version takes. Categories that the conformance cases do not
// fix are named like theirs.
package reference
