package head

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/dialect/internal/testtable"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// parseCSV returns the tests of a table as the tree of a JSONL file, with a test for each row. If the
// runner refuses the table, the tree has a problem that says why.
func parseCSV(src *text.Source) *yaml.Tree {
	tests, doubts, err := readTable(src)
	if err != nil {
		return &yaml.Tree{Source: src, Problems: []yaml.Problem{{Kind: yaml.SyntaxProblem, Message: err.Error()}}}
	}
	tree := yaml.ParseJSONL(text.New(src.Name, tests))
	for _, doubt := range doubts {
		tree.Problems = append(tree.Problems, yaml.Problem{Kind: "table", Message: doubt})
	}
	return tree
}

// readTable returns the tests of a table in JSONL. What the runner reads otherwise than it looks is a doubt.
func readTable(src *text.Source) (tests string, doubtful []string, err error) {
	header, rows, err := testtable.ReadCells(src.Body, false)
	if err != nil {
		return "", nil, err
	}
	doubts := tableDoubts{header: doubtsOfHeader(header), first: map[string]int{}, others: map[string]int{}}
	columns := len(header)
	for columns > 0 && header[columns-1] == "" {
		columns--
	}
	ids := map[any]int{}
	var lines strings.Builder
	for i, cells := range rows {
		switch {
		case len(cells) < columns:
			doubts.add(i+1, "has %d of %d cells; the others are empty", len(cells), columns)
		case len(cells) > len(header) && strings.Join(cells[len(header):], "") != "":
			doubts.add(i+1, "has %d cells instead of %d; the last ones are ignored", len(cells), len(header))
		}
		row := tableRow{Row: testtable.NewRow(), vars: map[string]any{}, test: map[string]any{}}
		for column, key := range header {
			cell := ""
			if column < len(cells) {
				cell = cells[column]
			}
			if slices.Contains(header[column+1:], key) {
				continue // the last of equal columns counts
			}
			if err := row.read(key, cell); err != nil {
				return "", nil, fmt.Errorf("row %d: %w", i+1, err)
			}
		}
		if err := row.finish(i+1, path.Dir(src.Name)); err != nil {
			return "", nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		if cell := strings.TrimSpace(row.Settings["__threshold"]); cell != "" && !isNumber(cell) {
			doubts.add(i+1, "has the `__threshold` `%s`; write a number, such as 0.5", cell)
		}
		if first := ids[row.test["id"]]; first > 0 {
			doubts.add(i+1, "has the id `%s` of row %d", row.test["id"], first)
		}
		ids[row.test["id"]] = i + 1
		line, err := json.Marshal(row.test)
		if err != nil {
			return "", nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		lines.Write(append(line, '\n'))
	}
	return lines.String(), doubts.messages(), nil
}

func doubtsOfHeader(header []string) (doubts []string) {
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t|") {
		doubts = append(doubts, fmt.Sprintf("`%s` is one column; separate columns by commas", header[0]))
	}
	for i, name := range header {
		if name != "" && slices.Contains(header[:i], name) {
			doubts = append(doubts, fmt.Sprintf("the column `%s` is there twice; only the last one is read", name))
		}
	}
	return doubts
}

// tableDoubts are what the runner reads otherwise than it looks. Each kind of rows is told once, with their number.
type tableDoubts struct {
	header, rows  []string
	first, others map[string]int // by the format: the index in rows, and how many rows more
}

func (d *tableDoubts) add(row int, format string, args ...any) {
	if _, known := d.first[format]; known {
		d.others[format]++
		return
	}
	d.first[format] = len(d.rows)
	d.rows = append(d.rows, fmt.Sprintf("row %d ", row)+fmt.Sprintf(format, args...))
}

func (d *tableDoubts) messages() []string {
	for format, n := range d.others {
		d.rows[d.first[format]] += fmt.Sprintf(" (and %d more such rows)", n)
	}
	return append(d.header, d.rows...)
}

func isNumber(text string) bool { _, err := strconv.ParseFloat(text, 64); return err == nil }

// A tableRow becomes a test.
type tableRow struct {
	*testtable.Row
	vars map[string]any
	test map[string]any // its other keys
}

// read reads a cell. As in the runner, columns with other names than these are variables.
func (r *tableRow) read(key, cell string) error {
	switch key {
	case "":
		return nil
	case "id", "input":
		r.test[key] = cell
		return nil
	case "__provider_output", "__providerOutput":
		return fmt.Errorf("the column `%s` is no longer read; name a target instead", key)
	}
	isVariable, err := r.Read(key, cell)
	if isVariable {
		r.readVariable(key, cell)
	}
	return err
}

// readVariable sets a variable, or for a column such as `vars.order.id`, a value within one.
func (r *tableRow) readVariable(key, cell string) {
	inner := r.vars
	if names, ok := strings.CutPrefix(key, "vars."); ok {
		parts := slices.DeleteFunc(strings.Split(names, "."), func(name string) bool { return strings.TrimSpace(name) == "" })
		for i, name := range parts {
			name = strings.TrimSpace(name)
			if key = name; i == len(parts)-1 {
				break
			}
			next, isMap := inner[name].(map[string]any)
			if !isMap {
				next = map[string]any{}
				inner[name] = next
			}
			inner = next
		}
	}
	inner[key] = cell
}

// finish makes the test of the row, whose number counts from 1, in a table of the folder.
func (r *tableRow) finish(number int, folder string) error {
	if id, _ := r.test["id"].(string); strings.TrimSpace(id) == "" {
		r.test["id"] = fmt.Sprintf("row-%d", number)
	}
	if input, ok := r.test["input"].(string); ok {
		input = r.Settings["__prefix"] + input + r.Settings["__suffix"]
		r.test["input"], r.vars["input"] = input, input // the suite's prompts, if it has any, take the variable
	}
	if description := r.Settings["__description"]; description != "" {
		r.test["criteria"] = description
	}
	if threshold, ok := testtable.Number(r.Settings["__threshold"]); ok {
		r.test["execution"] = map[string]any{"threshold": threshold}
	}
	for name, value := range r.Metadata {
		if list, isList := value.([]any); isList {
			r.Metadata[name] = slices.DeleteFunc(list, func(item any) bool { return item == "" })
		}
	}
	for key, values := range map[string]map[string]any{"vars": r.vars, "metadata": r.Metadata} {
		if len(values) > 0 {
			r.test[key] = values
		}
	}
	all, err := r.Assertions("min_score", func(cell string) (map[string]any, error) { return expectedAssertion(cell, folder) })
	if len(all) > 0 {
		r.test["assert"] = all
	}
	return err
}

var expectedPattern = pattern.New(`(?s)^((?:not-)?[a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::(.*))?$`)

// expectedTypes are the types of assertions that a cell may name.
var expectedTypes = []string{
	rubric.Contains, rubric.ContainsAny, rubric.ContainsAll, rubric.IContains, rubric.IContainsAny, rubric.IContainsAll, rubric.StartsWith,
	rubric.EndsWith, rubric.Regex, rubric.IsJSON, rubric.Equals, "latency", "cost",
}

// limitKeys are the keys of the number in parentheses, for the types that need one.
var limitKeys = map[string]string{"latency": "threshold", "cost": "budget"}

// expectedAssertion returns the assertion that a cell of a column `__expected` stands for: a type with a
// value, such as `contains: Hi` or `latency(900)`, or the text that the answer equals.
func expectedAssertion(cell, folder string) (map[string]any, error) {
	for _, prefix := range []string{"grade:", "llm-rubric:"} {
		if value, ok := strings.CutPrefix(cell, prefix); ok { // this type is one that the runner then refuses
			return map[string]any{"type": "llm-grader", "rubrics": []any{map[string]any{"id": "rubric", "outcome": strings.TrimSpace(value), "weight": 1}}}, nil
		}
	}
	for _, prefix := range []string{"javascript:", "fn:", "eval:"} {
		if value, ok := strings.CutPrefix(cell, prefix); ok {
			return map[string]any{"type": "inline-assert", "code": strings.TrimSpace(value)}, nil
		}
	}
	program, isProgram := strings.CutPrefix(cell, "python:")
	if file, ok := strings.CutPrefix(cell, v4.FileScheme); ok {
		if file = strings.TrimSpace(file); !strings.HasSuffix(file, ".py") {
			return nil, fmt.Errorf("`%s` is no file of Python", cell)
		}
		if program, isProgram = file, true; !path.IsAbs(file) {
			program = path.Join(folder, file)
		}
	}
	if isProgram {
		return map[string]any{"type": "script", "command": []string{"uv", "run", "python", strings.TrimSpace(program)}}, nil
	}
	m := expectedPattern().FindStringSubmatch(cell)
	if m == nil {
		return map[string]any{"type": rubric.Equals, "value": cell}, nil
	}
	typ, negate := strings.CutPrefix(m[1], "not-")
	limit, hasLimit := testtable.Number(m[2])
	hasValue := strings.Contains(cell, ":")
	switch {
	case !slices.Contains(expectedTypes, typ) && (hasValue || hasLimit):
		return nil, fmt.Errorf("`%s` is none of the types that a table may have: %s", typ, strings.Join(expectedTypes, ", "))
	case !slices.Contains(expectedTypes, typ):
		return map[string]any{"type": rubric.Equals, "value": cell}, nil
	case limitKeys[typ] != "" && !hasLimit:
		return nil, fmt.Errorf("`%s` needs a limit, such as `%s(1)`", typ, typ)
	case typ == rubric.StartsWith && !hasLimit:
		limit, hasLimit = 0.75, true
	}
	a := map[string]any{"type": typ}
	if negate {
		a["negate"] = true
	}
	if hasValue {
		a["value"] = expectedValue(typ, strings.TrimSpace(m[3]))
	}
	if hasLimit {
		a[cmp.Or(limitKeys[typ], "min_score")] = limit
	}
	return a, nil
}

// expectedValue returns the value of an assertion: a text, or the texts of a type that takes several.
func expectedValue(typ, value string) any {
	if !strings.HasSuffix(typ, "-any") && !strings.HasSuffix(typ, "-all") || value == "" {
		return value
	}
	items := strings.Split(value, ",")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return items
}
