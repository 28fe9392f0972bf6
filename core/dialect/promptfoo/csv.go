package promptfoo

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readTable returns the rows of a table, each by the names of its columns, and the names.
func readTable(body string) (rows []map[string]string, err error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, false
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
			row[cells[0][k]] = cell
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// RowTest returns the test of a table's row.
func RowTest(row map[string]string) (map[string]any, error) {
	vars, metadata, options := map[string]any{}, map[string]any{}, map[string]any{}
	test := map[string]any{"vars": vars, "options": options}
	metric := ""
	thresholds := map[int]float64{}
	columns := map[string]string{}
	names := []string{}
	for name, cell := range row {
		name = strings.TrimSpace(name)
		columns[name] = cell
		names = append(names, name)
	}
	slices.SortFunc(names, compareColumns)
	asserts := []any{}
	for _, name := range names {
		cell := columns[name]
		metadataKey, isMetadata := strings.CutPrefix(name, "__metadata:")
		config, isConfig := strings.CutPrefix(name, "__config:")
		switch {
		case strings.HasPrefix(name, "__expected"):
			if strings.TrimSpace(cell) != "" {
				asserts = append(asserts, ParseShorthand(strings.TrimSpace(cell)))
			}
		case name == "__prefix", name == "__suffix":
			options[name[2:]] = cell
		case name == "__description", name == "__providerOutput":
			test[name[2:]] = cell
		case name == "__metric":
			metric = cell
		case name == "__threshold":
			if n, err := strconv.ParseFloat(strings.TrimSpace(cell), 64); err == nil {
				test["threshold"] = n
			}
		case isMetadata:
			if strings.TrimSpace(cell) != "" {
				addMetadata(metadata, metadataKey, cell)
			}
		case name == "__metadata":
		case isConfig && strings.Contains(config, ":"):
			index, err := configColumn(config)
			if err != nil {
				return nil, err
			}
			if n, err := strconv.ParseFloat(strings.TrimSpace(cell), 64); err == nil {
				thresholds[index-1], metadata["threshold"] = n, n
			}
		case isConfig:
		default:
			vars[name] = cell
		}
	}
	applyColumns(asserts, metric, thresholds)
	test["assert"] = asserts
	if len(metadata) > 0 {
		test["metadata"] = metadata
	}
	return test, nil
}

// checkShorthand reports the numbers in parentheses that promptfoo drops, and those that it assumes.
func (l *loader) checkShorthand(at *yaml.Node, row map[string]string) {
	for name, cell := range row {
		m := numberPattern().FindStringSubmatch(strings.TrimSpace(cell))
		if m == nil || !strings.HasPrefix(name, "__expected") || kindsByName[m[1]].name == "" {
			continue
		}
		base := strings.TrimPrefix(m[1], "not-")
		switch isLimit := base == "cost" || base == "latency" || base == "levenshtein"; {
		case m[2] != "" && !slices.Contains(numbered, base):
			l.loseOnce(NumberLost, at, m[1]+m[2])
		case m[2] == "" && isLimit:
			l.loseOnce(NumberAssumed, at, m[1])
		}
	}
}

// loseOnce records a loss unless it is known.
func (l *loader) loseOnce(kind string, at *yaml.Node, detail string) {
	if !slices.ContainsFunc(l.suite.Losses, func(known rubric.Loss) bool { return known.Kind == kind && known.Detail == detail }) {
		l.lose(kind, at, detail)
	}
}

// applyColumns sets the metric and the thresholds of a row's assertions.
func applyColumns(asserts []any, metric string, thresholds map[int]float64) {
	for i, a := range asserts {
		fields := a.(map[string]any)
		if metric != "" {
			fields["metric"] = metric
		}
		if n, ok := thresholds[i]; ok {
			fields["threshold"] = n
		}
	}
}

// configColumn returns the number of the expectation that a column such as `__config:__expected2:threshold` is about.
func configColumn(config string) (int, error) {
	column, key, _ := strings.Cut(config, ":")
	number, ok := strings.CutPrefix(column, "__expected")
	index := 1
	if ok && number != "" {
		var err error
		index, err = strconv.Atoi(number)
		ok = err == nil && index > 0
	}
	switch {
	case !ok:
		return 0, fmt.Errorf("the column `__config:%s` names no column of expectations", config)
	case key != "threshold":
		return 0, fmt.Errorf("the column `__config:%s` sets no `threshold`", config)
	}
	return index, nil
}

// compareColumns sorts columns of expectations by their numbers.
func compareColumns(a, b string) int {
	if len(a) != len(b) && strings.HasPrefix(a, "__expected") && strings.HasPrefix(b, "__expected") {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func addMetadata(metadata map[string]any, key, cell string) {
	name, isList := strings.CutSuffix(key, "[]")
	if !isList {
		metadata[name] = cell
		return
	}
	const comma = "\x00" // in place of one after a backslash, which does not divide
	items := []any{}
	for item := range strings.SplitSeq(strings.ReplaceAll(cell, `\,`, comma), ",") {
		items = append(items, strings.ReplaceAll(strings.TrimSpace(item), comma, ","))
	}
	metadata[name] = items
}

// numbered are the types whose number in parentheses promptfoo keeps. Without one they get 0.75.
var numbered = []string{
	"answer-relevance", "classifier", "conversation-relevance", "context-faithfulness", "context-recall", "context-relevance", "cost", "latency",
	"levenshtein", "perplexity", "perplexity-score", "rouge-n", "similar", "starts-with",
}

var (
	numberPattern  = pattern.New(`^([a-z][a-z0-9:-]*)(\(\d+(?:\.\d+)?\))?(?::|$)`)
	shorthandRest  = pattern.New(`(?s)^(?:\((\d+(?:\.\d+)?)\))?(:.*)?$`)
	programPattern = pattern.New(`(?s)^(javascript|fn|eval|python|grade|llm-rubric):(.*)$`)
)

// ParseShorthand returns the assertion that a cell of a column `__expected` stands for. What has the form of no
// known type is a text that the answer equals.
func ParseShorthand(cell string) map[string]any {
	if m := programPattern().FindStringSubmatch(cell); m != nil {
		typ := map[string]string{"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}[m[1]]
		if typ == "" {
			typ = m[1]
		}
		return map[string]any{"type": typ, "value": strings.TrimSpace(m[2])}
	}
	if name, ok := strings.CutPrefix(cell, fileScheme); ok {
		switch _, end := ending(cell); end {
		case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts":
			return map[string]any{"type": "javascript", "value": cell}
		case ".py":
			return map[string]any{"type": "python", "value": name}
		}
	}
	for _, k := range shorthandKinds() {
		rest, ok := strings.CutPrefix(cell, k)
		if !ok {
			continue
		}
		m := shorthandRest().FindStringSubmatch(rest)
		if m == nil {
			continue
		}
		base := strings.TrimPrefix(k, "not-")
		fields := map[string]any{"type": k}
		hasValue := m[2] != ""
		value := strings.TrimPrefix(m[2], ":")
		switch {
		case !hasValue:
		case strings.HasSuffix(base, "contains-any"), strings.HasSuffix(base, "contains-all"):
			if fields["value"] = value; value != "" {
				if list, err := assertion.SplitList(value); err == nil {
					fields["value"] = list
				}
			}
		case base == "is-json", base == "contains-json":
			fields["value"] = value
		default:
			fields["value"] = strings.TrimSpace(value)
		}
		if slices.Contains(numbered, base) {
			fields["threshold"] = 0.75
			if base == "similar" {
				fields["threshold"] = 0.8
			}
			if n, err := strconv.ParseFloat(m[1], 64); err == nil {
				fields["threshold"] = n
			}
		}
		return fields
	}
	return map[string]any{"type": "equals", "value": cell}
}

// shorthandKinds returns the types that a cell may name, the longest first.
var shorthandKinds = sync.OnceValue(func() (names []string) {
	for _, k := range kinds {
		if !strings.HasPrefix(k.name, "similar:") {
			names = append(names, k.name, "not-"+k.name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
})
