package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/core/score"
)

// differences compares an outcome with an expectation, key by key. Numbers are
// compared within a millionth unless exact; hits and misses by count where the
// expectation is a number.
type differences []string

func (d *differences) check(want map[string]any, key string, got any, tolerance float64) {
	expected, asked := want[key]
	if !asked {
		return
	}
	if n, ok := expected.(float64); ok {
		value := reflect.Indirect(reflect.ValueOf(got))
		switch {
		case value.Kind() == reflect.Slice:
			got = float64(value.Len())
		case value.CanInt():
			got = float64(value.Int())
		case value.CanFloat():
			got = value.Float()
		}
		if f, ok := got.(float64); ok && math.Abs(f-n) <= tolerance {
			return
		}
	}
	gotJSON, _ := json.Marshal(got)
	wantJSON, _ := json.Marshal(expected)
	if !bytes.Equal(gotJSON, wantJSON) {
		*d = append(*d, fmt.Sprintf("%s is %s, want %s", key, gotJSON, wantJSON))
	}
}

func (d differences) err() error {
	if len(d) == 0 {
		return nil
	}
	return errors.New(strings.Join(d, "; "))
}

func (d *differences) result(want map[string]any, r score.Result, tolerance float64) {
	d.check(want, "score", r.Score, tolerance)
	d.check(want, "verdict", r.Verdict, 0)
	d.check(want, "hits", r.Hits, 0)
	d.check(want, "misses", r.Misses, 0)
	d.check(want, "reasoning", r.Reasoning, 0)
	if details, ok := want["details"]; ok {
		got, _ := json.Marshal(r.Details)
		var plain any
		json.Unmarshal(got, &plain)
		if !reflect.DeepEqual(plain, details) {
			*d = append(*d, fmt.Sprintf("details are %s", got))
		}
	}
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
