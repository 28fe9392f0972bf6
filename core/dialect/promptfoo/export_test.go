package promptfoo

import (
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ExpandedRow is a row as the results of promptfoo describe it.
type ExpandedRow struct {
	Provider, Text string
	Vars           map[string]any
	Asserts        []any
	Threshold      any
}

// Expand returns the rows of a configuration, and why promptfoo refuses it, if it does.
func Expand(r dialect.Reader, t *yaml.Tree) (rows []ExpandedRow, losses []rubric.Loss) {
	l := read(r, t, Config)
	for _, row := range l.rows() {
		asserts := []any{}
		for _, a := range row.asserts {
			asserts = append(asserts, a.fields)
		}
		rows = append(rows, ExpandedRow{row.provider.Label, row.Text, row.vars, asserts, row.fields["threshold"]})
	}
	return rows, l.suite.Losses
}
