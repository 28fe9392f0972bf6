package promptfoo

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/internal/testtable"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readTests returns the tests of a table.
func (l *loader) readTests(at *yaml.Node, body string) (tests []any, err error) {
	rows, err := readTable(body)
	if l.Own {
		rows = rows[:min(len(rows), 1)]
	}
	for _, row := range rows {
		test, err := RowTest(row)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
		l.checkShorthand(at, row)
	}
	return tests, err
}

// readTable returns the rows of a table, each by the names of its columns.
func readTable(body string) (rows []map[string]string, err error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	cells, err := r.ReadAll()
	if err != nil || len(cells) == 0 {
		return nil, err
	}
	for i, record := range cells[1:] {
		if len(record) == 1 && strings.TrimSpace(record[0]) == "" && len(cells[0]) > 1 {
			continue
		}
		if len(record) != len(cells[0]) {
			return nil, fmt.Errorf("row %d has %d columns instead of %d", i+1, len(record), len(cells[0]))
		}
		row := map[string]string{}
		for k, cell := range record {
			row[strings.TrimSpace(cells[0][k])] = cell
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// RowTest returns the test of a table's row.
func RowTest(columns map[string]string) (map[string]any, error) {
	row, vars, options := testtable.NewRow(), map[string]any{}, map[string]any{}
	for _, name := range slices.SortedFunc(maps.Keys(columns), compareColumns) {
		if name == "__metadata" || strings.HasPrefix(name, "__config:") && strings.Count(name, ":") < 2 {
			continue
		}
		isVariable, err := row.Read(name, columns[name])
		if err != nil {
			return nil, err
		}
		if isVariable {
			vars[name] = columns[name]
		}
	}
	test := map[string]any{"vars": vars, "options": options}
	for name, cell := range row.Settings {
		switch name = strings.TrimPrefix(name, "__"); name {
		case "prefix", "suffix":
			options[name] = cell
		case "threshold":
			if n, isNumber := assertion.Number(cell); isNumber {
				test[name] = n
			}
		case "description", "providerOutput":
			test[name] = cell
		}
	}
	asserts := []any{}
	for _, cell := range row.Expected {
		fields := ParseShorthand(cell)
		if metric := row.Settings["__metric"]; metric != "" {
			fields["metric"] = metric
		}
		asserts = append(asserts, fields)
	}
	for at, cell := range row.Thresholds {
		if n, isNumber := assertion.Number(cell); isNumber {
			row.Metadata["threshold"] = n // as promptfoo does
			if at < len(asserts) {
				asserts[at].(map[string]any)["threshold"] = n
			}
		}
	}
	test["assert"] = asserts
	if len(row.Metadata) > 0 {
		test["metadata"] = row.Metadata
	}
	return test, nil
}

// compareColumns sorts columns of expectations by their numbers.
func compareColumns(a, b string) int {
	if len(a) != len(b) && strings.HasPrefix(a, "__expected") && strings.HasPrefix(b, "__expected") {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// checkShorthand reports the numbers in parentheses that promptfoo drops, and those that it assumes.
func (l *loader) checkShorthand(at *yaml.Node, row map[string]string) {
	for name, cell := range row {
		m := shorthandPattern().FindStringSubmatch(strings.TrimSpace(cell))
		if m == nil || !strings.HasPrefix(name, "__expected") {
			continue
		}
		switch typ, base, number := m[1]+m[2], m[2], m[3]; {
		case number != "" && !assertion.TypeOf(base).Has(assertion.KeepsNumber):
			l.lose(numberLost, at, typ+"("+number+")")
		case number == "" && (base == "cost" || base == "latency" || base == "levenshtein"):
			l.lose(numberAssumed, at, typ)
		}
	}
}

// shorthandPattern matches a type with a number in parentheses and a value.
var shorthandPattern = pattern.New(`(?s)^(not-)?(` + strings.Join(shorthandTypes(), "|") + `)(?:\((\d+(?:\.\d+)?)\))?(:.*)?$`)

// shorthandTypes are the types that a cell may name.
func shorthandTypes() (names []string) {
	for _, t := range assertion.Types {
		if !strings.HasPrefix(t.Name, "similar:") && !t.Has(assertion.HasNoOpposite) {
			names = append(names, t.Name)
		}
	}
	return names
}

// longNames are the types that have a short name in tables.
var longNames = map[string]string{"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}

// ParseShorthand returns the assertion that a cell of a column `__expected` stands for. What has the form of no
// known type is a text that the answer equals.
func ParseShorthand(cell string) map[string]any {
	if name, code, found := strings.Cut(cell, ":"); found && longNames[name] != "" {
		return map[string]any{"type": longNames[name], "value": strings.TrimSpace(code)}
	}
	if strings.HasPrefix(cell, fileScheme) {
		switch _, end := ending(cell); end {
		case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts":
			return map[string]any{"type": "javascript", "value": cell}
		case ".py":
			return map[string]any{"type": "python", "value": strings.TrimPrefix(cell, fileScheme)}
		}
	}
	m := shorthandPattern().FindStringSubmatch(cell)
	if m == nil {
		return map[string]any{"type": "equals", "value": cell}
	}
	base := m[2]
	fields := map[string]any{"type": m[1] + base}
	if value, hasValue := strings.CutPrefix(m[4], ":"); hasValue {
		fields["value"] = shorthandValue(base, value)
	}
	if assertion.TypeOf(base).Has(assertion.KeepsNumber) {
		fields["threshold"] = 0.75
		if base == "similar" {
			fields["threshold"] = 0.8
		}
		if n, isNumber := assertion.Number(m[3]); isNumber {
			fields["threshold"] = n
		}
	}
	return fields
}

// shorthandValue returns what the text after a type stands for.
func shorthandValue(base, value string) any {
	switch {
	case strings.HasSuffix(base, "contains-any"), strings.HasSuffix(base, "contains-all"):
		if list, err := assertion.SplitList(value); err == nil && value != "" {
			return list
		}
		return value
	case base == "is-json", base == "contains-json":
		return value
	}
	return strings.TrimSpace(value)
}
