package format

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "schema-not-applied",
	Severity: diag.Info,
	Highest:  diag.Warning,
	Run: func(p *lint.Pass) {
		if p.UserSchema == nil {
			return
		}
		switch err := cmp.Or(p.UserSchema.Err, validate(p).err); {
		case err != nil:
			d := p.Report(p.UserSchema.Span, "the schema `%s` is not applied: %s", lint.Abbreviate(p.UserSchema.Reference), err)
			d.Severity = diag.Warning
		case p.UserSchema.IsRemote():
			p.Report(p.UserSchema.Span, "the schema `%s` is not applied: schemas are not downloaded; name a file", lint.Abbreviate(p.UserSchema.Reference))
		}
	},
})
