package grade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// checkRegex matches the answer as JavaScript does.
func checkRegex(t task, a rubric.Assertion, texts []string) score.Result {
	re, err := ecmascript.Compile(texts[0], a.Flags)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	matched, err := re.MatchString(t.submission.Answer)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	shown := fmt.Sprintf("`/%s/%s`", texts[0], a.Flags)
	if matched {
		return findingResult(true, "it matches "+shown)
	}
	return findingResult(false, "it does not match "+shown)
}

// maxFaults limits the reported faults of a document.
const maxFaults = 8

// checkJSON requires an answer that is JSON as a whole and valid for the assertion's schema, if
// any. The reference ignores the schema.
func checkJSON(t task, a rubric.Assertion, _ []string) score.Result {
	document, err := decodeWithNumbers([]byte(t.submission.Answer))
	if err != nil {
		return findingResult(false, fmt.Sprintf("it is not JSON: %s", err))
	}
	if a.Value == nil || t.isReference() {
		return findingResult(true, "it is JSON")
	}
	if t.ports.Schema == nil {
		return score.UngradedResult("its JSON Schema cannot be applied here; use `rubric run`")
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

// decodeSchema returns a schema with numbers as written. Files hold it as an object, a boolean, or
// either of them as text.
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

// decodeWithNumbers decodes one JSON value and keeps its numbers as written.
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
		return nil, fmt.Errorf("there is text after its end")
	}
	return value, nil
}
