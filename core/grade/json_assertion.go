package grade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// maxFaults is how many of a document's faults are told.
const maxFaults = 8

// checkJSON wants an answer that is JSON, from end to end, and valid for the
// assertion's schema if it has one. The reference has no use for the schema.
func checkJSON(t task, a rubric.Assertion) score.Result {
	document, err := decodeWithNumbers([]byte(t.submission.Answer))
	if err != nil {
		return findingResult(false, fmt.Sprintf("it is not JSON: %s", err))
	}
	if a.Value == nil || t.isReference() {
		return findingResult(true, "it is JSON")
	}
	if t.ports.Schema == nil {
		return score.UngradedResult("it has a JSON Schema, which nothing here applies; `rubric run` does")
	}
	schema, err := decodeSchema(a.Value)
	if err != nil {
		return score.UngradedResult(fmt.Sprintf("its JSON Schema cannot be used: %s", err))
	}
	faults, err := t.ports.Schema(schema, document)
	switch {
	case err != nil:
		return score.UngradedResult(fmt.Sprintf("its JSON Schema cannot be used: %s", err))
	case len(faults) == 0:
		return findingResult(true, "it is JSON and valid for the schema")
	}
	if more := len(faults) - maxFaults; more > 0 {
		faults = append(faults[:maxFaults:maxFaults], fmt.Sprintf("and %d more", more))
	}
	return score.PlainResult(0, nil, faults, "")
}

// decodeSchema is a schema as a file holds it, an object or truth value or one of
// them as a text, with its numbers as they are written.
func decodeSchema(value any) (any, error) {
	if text, ok := value.(string); ok {
		return decodeWithNumbers([]byte(text))
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return decodeWithNumbers(text)
}

// decodeWithNumbers reads one JSON value and keeps its numbers as they are written.
func decodeWithNumbers(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("it is empty")
		}
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after its end")
	}
	return value, nil
}
