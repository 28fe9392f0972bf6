package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       lint.UnusedIgnore,
	Severity: diag.Warning,
	RunsLast: true,
	Run:      (*lint.Pass).ReportIgnores,
})
