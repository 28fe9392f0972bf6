// Package rules registers the lint rules of every area. Each rule has a Markdown file, its page, with an
// example that it reports and one that it does not, and its id, severity, check and fixes in a Go file with related rules.
//
// A program that runs the rules imports this package; core/analysis does. A rule in an area below
// needs no entry here.
package rules

import (
	_ "github.com/rubric-ls/rubric/core/lint/rules/evalset"    // ADK's files
	_ "github.com/rubric-ls/rubric/core/lint/rules/format"     // keys and values of a format, and the user's schema
	_ "github.com/rubric-ls/rubric/core/lint/rules/references" // what names something else: ids, files, targets, variables
	_ "github.com/rubric-ls/rubric/core/lint/rules/scoring"    // weights, gates, ranges and the verdicts they allow
	_ "github.com/rubric-ls/rubric/core/lint/rules/syntax"     // YAML itself
	_ "github.com/rubric-ls/rubric/core/lint/rules/wording"    // how texts and ids are written
)
