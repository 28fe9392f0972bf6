// Package cache is what the language server knows of the files of one client.
//
// A [Workspace] has one current [Snapshot], which is immutable: the open documents with their
// analyses, the settings and the client's capabilities. An analysis depends on other files, which
// its dependencies record. Closed files are analysed when a request needs them. The results of runs
// are stored by case id.
//
// What a change makes out of date is one table, effects. Diagnostics are published by one worker
// per document, which always uses the newest snapshot, so outdated diagnostics are never sent.
package cache
