// Package testtable reads the rows of tables of tests in CSV. A column is a variable of the test or, if its name
// begins with `__`, a setting.
//
// promptfoo has such tables, and so has the newest version of AgentV. They differ in what a row becomes.
package testtable

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/spell"
)

// ReadCells returns the names of a table's columns, and the cells of its rows. A quote within a cell without quotes is
// text, and with isLazy one within quotes, too.
func ReadCells(body string, isLazy bool) (header []string, rows [][]string, err error) {
	for _, lazy := range []bool{isLazy, true} {
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
		r.FieldsPerRecord, r.LazyQuotes = -1, lazy
		if rows, err = r.ReadAll(); !errors.Is(err, csv.ErrBareQuote) {
			break
		}
	}
	if err != nil || len(rows) == 0 {
		return nil, nil, err
	}
	return generic.Map(rows[0], strings.TrimSpace), rows[1:], nil
}

// Row is what the settings of a row say.
type Row struct {
	Settings   map[string]string // the cells of plain settings by their column, such as `__metric`
	Expected   []string          // the cells of the columns `__expected…` that are not blank
	Metadata   map[string]any    // by the name after `__metadata:`: a text, or a list of texts if the name ends in `[]`
	Thresholds map[int]float64   // by the position in Expected: the numbers of columns such as `__config:__expected2:threshold`
}

// plainSettings are the columns with settings that are one text.
var plainSettings = []string{"__prefix", "__suffix", "__description", "__metric", "__threshold", "__providerOutput"}

// NewRow returns a row without settings.
func NewRow() *Row {
	return &Row{Settings: map[string]string{}, Metadata: map[string]any{}, Thresholds: map[int]float64{}}
}

// Read reads the cell of a column. isVariable means that the column is none with a setting.
func (r *Row) Read(column, cell string) (isVariable bool, err error) {
	metadata, isMetadata := strings.CutPrefix(column, "__metadata:")
	config, isConfig := strings.CutPrefix(column, "__config:")
	switch {
	case strings.HasPrefix(column, "__expected"):
		if cell = strings.TrimSpace(cell); cell != "" {
			r.Expected = append(r.Expected, cell)
		}
	case slices.Contains(plainSettings, column):
		r.Settings[column] = cell
	case isMetadata:
		r.readMetadata(metadata, cell)
	case isConfig:
		at, err := expectedPosition(config)
		n, isNumber := Number(cell)
		if err == nil && !isNumber {
			err = fmt.Errorf("the column `%s` holds no number", column)
		}
		r.Thresholds[at] = n
		return false, err
	default:
		return true, nil
	}
	return false, nil
}

// NearestSetting returns the setting that is misspelt as the name of a column, which makes it a variable; "" if there is none.
func NearestSetting(column string) string {
	isVariable, _ := NewRow().Read(column, "")
	if !isVariable || !strings.HasPrefix(column, "_") {
		return ""
	}
	return spell.Nearest(column, append(slices.Clone(plainSettings), "__expected"))
}

// Number returns the number that a cell begins with, as JavaScript's parseFloat does.
func Number(cell string) (float64, bool) {
	n, err := strconv.ParseFloat(leadingNumber().FindString(strings.TrimSpace(cell)), 64)
	return n, err == nil
}

var leadingNumber = pattern.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`)

// Assertions returns what read makes of the expectations, with the metric of the row, and with their own thresholds as
// thresholdKey.
func (r *Row) Assertions(thresholdKey string, read func(cell string) (map[string]any, error)) (all []any, err error) {
	all = make([]any, len(r.Expected))
	for i, cell := range r.Expected {
		fields, err := read(cell)
		if err != nil {
			return nil, err
		}
		if metric := r.Settings["__metric"]; metric != "" {
			fields["metric"] = metric
		}
		if n, isSet := r.Thresholds[i]; isSet {
			fields[thresholdKey] = n
		}
		all[i] = fields
	}
	return all, nil
}

func (r *Row) readMetadata(key, cell string) {
	name, isList := strings.CutSuffix(key, "[]")
	switch {
	case strings.TrimSpace(cell) == "":
	case isList:
		const comma = "\x00" // in place of one after a backslash, which does not divide
		items := []any{}
		for item := range strings.SplitSeq(strings.ReplaceAll(cell, `\,`, comma), ",") {
			items = append(items, strings.ReplaceAll(strings.TrimSpace(item), comma, ","))
		}
		r.Metadata[name] = items
	default:
		r.Metadata[name] = cell
	}
}

// expectedPosition returns which expectation, from 0, a key such as `__expected2:threshold` is about.
func expectedPosition(key string) (int, error) {
	column, setting, _ := strings.Cut(key, ":")
	number, isExpected := strings.CutPrefix(column, "__expected")
	position := 1
	if number != "" {
		var err error
		position, err = strconv.Atoi(number)
		isExpected = isExpected && err == nil && position > 0
	}
	switch {
	case setting != "threshold":
		return 0, fmt.Errorf("the column `__config:%s` sets no `threshold`", key)
	case !isExpected:
		return 0, fmt.Errorf("the column `__config:%s` names no column of assertions", key)
	}
	return position - 1, nil
}
