package promptfoo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/internal/testtable"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readTests returns the tests of a table.
func (l *loader) readTests(at *yaml.Node, body string) (tests []any, err error) {
	header, rows, err := readTable(body)
	for _, name := range header {
		if testtable.NearestSetting(name) != "" {
			l.lose(columnUnknown, at, name)
		}
	}
	for n, cells := range rows {
		for i, cell := range cells {
			if strings.HasPrefix(header[i], "__expected") {
				l.checkShorthand(at, strings.TrimSpace(cell))
			} else if _, isNumber := cellNumber(cell); header[i] == "__threshold" && strings.TrimSpace(cell) != "" && !isNumber {
				l.lose(thresholdLost, at, cell)
			}
		}
		test, err := RowTest(header, cells)
		if err != nil {
			return nil, err
		}
		if !l.Own || n == 0 {
			tests = append(tests, test)
		}
	}
	return tests, err
}

// cellNumber returns the finite number that a cell is.
func cellNumber(cell string) (float64, bool) {
	n, isNumber := assertion.Number(strings.TrimSpace(cell))
	return n, isNumber && !math.IsInf(n, 0)
}

// readTable returns the names of a table's columns, and its rows other than blank ones.
func readTable(body string) (header []string, rows [][]string, err error) {
	header, all, err := testtable.ReadCells(body, true)
	for i, cells := range all {
		switch {
		case len(cells) == 1 && strings.TrimSpace(cells[0]) == "" && len(header) > 1:
		case len(cells) != len(header):
			return nil, nil, fmt.Errorf("row %d has %d columns instead of %d", i+1, len(cells), len(header))
		default:
			rows = append(rows, cells)
		}
	}
	return header, rows, err
}

// RowTest returns the test of a table's row.
func RowTest(header, cells []string) (map[string]any, error) {
	row, vars, options := testtable.NewRow(), map[string]any{}, map[string]any{}
	for i, name := range header {
		if name == "__metadata" || strings.HasPrefix(name, "__config:") && strings.Count(name, ":") < 2 {
			continue
		}
		isVariable, err := row.Read(name, cells[i])
		if _, isNumber := cellNumber(cells[i]); err == nil && !isNumber && strings.HasPrefix(name, "__config:") {
			err = fmt.Errorf("the column `%s` holds no number", name)
		}
		if err != nil {
			return nil, err
		}
		if isVariable {
			vars[name] = cells[i]
		}
	}
	test := map[string]any{"vars": vars, "options": options}
	for name, cell := range row.Settings {
		n, isNumber := cellNumber(cell)
		switch name = strings.TrimPrefix(name, "__"); {
		case name == "prefix", name == "suffix":
			options[name] = cell
		case name == "threshold" && isNumber:
			test[name] = n
		case name == "description", name == "providerOutput":
			test[name] = cell
		}
	}
	asserts, err := row.Assertions("threshold", func(cell string) (map[string]any, error) { return ParseShorthand(cell), nil })
	for i := range asserts {
		if n, isSet := row.Thresholds[i]; isSet {
			row.Metadata["threshold"] = n // as promptfoo does
		}
	}
	if test["assert"] = asserts; len(row.Metadata) > 0 {
		test["metadata"] = row.Metadata
	}
	return test, err
}

// checkShorthand reports misspelt types, the numbers in parentheses that promptfoo drops, and those that it assumes.
func (l *loader) checkShorthand(at *yaml.Node, cell string) {
	name, _, hasColon := strings.Cut(cell, ":")
	typ, _, _ := strings.Cut(strings.TrimPrefix(name, "not-"), "(")
	if hasColon && longNames[typ] == "" && !shorthandPattern().MatchString(cell) && spell.Nearest(typ, shorthandTypes()) != "" {
		l.lose(typeUnknown, at, cell)
	}
	for _, m := range shorthandPattern().FindAllStringSubmatch(cell, -1) {
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
var longNames = map[string]string{"fn": "javascript", "eval": "javascript", "grade": "llm-rubric", "llm-rubric": "llm-rubric"}

// ParseShorthand returns the assertion of a cell of a column `__expected`: `equals` if it names no known type.
func ParseShorthand(cell string) map[string]any {
	if name, value, found := strings.Cut(cell, ":"); found && longNames[name] != "" {
		if longNames[name] == "javascript" {
			value = strings.TrimSpace(value)
		}
		return map[string]any{"type": longNames[name], "value": value}
	}
	_, end := ending(cell)
	m := shorthandPattern().FindStringSubmatch(cell)
	switch isFile := strings.HasPrefix(cell, fileScheme); {
	case isFile && slices.Contains(scriptEndings, end):
		return map[string]any{"type": "javascript", "value": cell}
	case isFile && end == ".py":
		return map[string]any{"type": "python", "value": strings.TrimPrefix(cell, fileScheme)}
	case m == nil:
		return map[string]any{"type": "equals", "value": cell}
	}
	base := m[2]
	fields := map[string]any{"type": m[1] + base}
	if value, hasValue := strings.CutPrefix(m[4], ":"); hasValue {
		fields["value"] = shorthandValue(base, value)
	}
	if assertion.TypeOf(base).Has(assertion.KeepsNumber) {
		n, isNumber := testtable.Number(m[3])
		if !isNumber {
			n = map[bool]float64{true: 0.8, false: 0.75}[base == "similar"]
		}
		fields["threshold"] = n
	}
	return fields
}

// shorthandValue returns what the text after a type stands for.
func shorthandValue(base, value string) any {
	isList := strings.HasSuffix(base, "contains-any") || strings.HasSuffix(base, "contains-all")
	if list, err := assertion.SplitList(value); isList && err == nil && value != "" {
		return append([]any{}, list...)
	}
	if isList || base == "is-json" || base == "contains-json" {
		return value
	}
	return strings.TrimSpace(value)
}
