package grade

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// assertionChecks are the checks of deterministic assertions, by type.
var assertionChecks = map[string]func(task, rubric.Assertion, []string) score.Result{
	rubric.Contains:     checkContains,
	rubric.ContainsAny:  checkContains,
	rubric.ContainsAll:  checkContains,
	rubric.IContains:    checkContains,
	rubric.IContainsAny: checkContains,
	rubric.IContainsAll: checkContains,
	rubric.StartsWith:   compareText(strings.HasPrefix, "it starts with", "it does not start with"),
	rubric.EndsWith:     compareText(strings.HasSuffix, "it ends with", "it does not end with"),
	rubric.Equals:       compareText(func(a, b string) bool { return a == b }, "it is", "it is not"),
	rubric.Regex:        checkRegex,
	rubric.IsJSON:       checkJSON,
}

// gradeAssertion checks only the answer's text. Its score is 1 or 0.
func gradeAssertion(_ context.Context, t task) Outcome {
	if t.grader.Assert == nil {
		return Outcome{Result: score.UngradedResult("it has no text to look for")}
	}
	a := *t.grader.Assert
	check, ok := assertionChecks[a.Type]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("`%s` is not a known assertion", a.Type))}
	}
	if why := Unsupported(t.grader); why != "" {
		return t.unusable(why)
	}
	texts, err := assertionTexts(a)
	if err != nil && a.Type != rubric.IsJSON {
		return Outcome{Result: score.UngradedResult(err.Error())}
	}
	return Outcome{Result: check(t, a, texts)}
}

func findingResult(holds bool, line string) score.Result {
	if holds {
		return score.PlainResult(1, []string{line}, nil, "")
	}
	return score.PlainResult(0, nil, []string{line}, "")
}

// assertionTexts returns the texts of an assertion: one, unless its type takes several.
func assertionTexts(a rubric.Assertion) ([]string, error) {
	list, ok := a.Value.([]any)
	if !ok {
		list = []any{a.Value}
	}
	texts := make([]string, len(list))
	for i, item := range list {
		text, ok := scalarText(item)
		if !ok {
			return nil, errors.New("its `value` " + wrongValue(item, "a text"))
		}
		texts[i] = text
	}
	switch {
	case len(texts) == 0:
		return nil, errors.New("its `value` is an empty list, so there is nothing to look for")
	case len(texts) > 1 && !strings.HasSuffix(a.Type, "-any") && !strings.HasSuffix(a.Type, "-all"):
		return nil, fmt.Errorf("its `value` is a list of %d, where `%s` takes one text", len(texts), a.Type)
	}
	return texts, nil
}

// scalarText returns a string, or a number or boolean as written in JSON.
func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case nil, map[string]any, []any:
		return "", false
	case string:
		return v, true
	}
	text, err := json.Marshal(value)
	return string(text), err == nil
}

// checkContains searches the answer for all texts, or for any of them. Types that begin with i
// ignore letter case.
func checkContains(t task, a rubric.Assertion, texts []string) score.Result {
	fold, suffix := func(text string) string { return text }, ""
	if strings.HasPrefix(a.Type, "i") {
		fold, suffix = javascript.ToLower, ", in any letter case"
	}
	answer := fold(t.submission.Answer)
	contains := func(text string) bool { return strings.Contains(answer, fold(text)) }
	finding := func(holds bool, verb string, texts []string) score.Result {
		return findingResult(holds, verb+" `"+strings.Join(texts, "`, `")+"`"+suffix)
	}
	if strings.HasSuffix(a.Type, "-any") {
		if i := slices.IndexFunc(texts, contains); i >= 0 {
			return finding(true, "it contains", texts[i:i+1])
		}
		return finding(false, "it contains none of", texts)
	}
	if missing := slices.DeleteFunc(slices.Clone(texts), contains); len(missing) > 0 {
		return finding(false, "it does not contain", missing)
	}
	return finding(true, "it contains", texts)
}

// compareText returns a check that compares the answer with one text, both trimmed.
func compareText(holds func(answer, text string) bool, yes, no string) func(task, rubric.Assertion, []string) score.Result {
	return func(t task, _ rubric.Assertion, texts []string) score.Result {
		if holds(javascript.TrimSpace(t.submission.Answer), javascript.TrimSpace(texts[0])) {
			return findingResult(true, fmt.Sprintf("%s `%s`", yes, texts[0]))
		}
		return findingResult(false, fmt.Sprintf("%s `%s`", no, texts[0]))
	}
}

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
	document, err := DecodeExact([]byte(t.submission.Answer))
	if err != nil {
		return findingResult(false, fmt.Sprintf("it is not JSON: %s", err))
	}
	if a.Value == nil || t.isReference() {
		return findingResult(true, "it is JSON")
	}
	faults, err := t.ports.Validate(a.Value, document)
	switch {
	case err != nil:
		return score.UngradedResult(err.Error())
	case len(faults) == 0:
		return findingResult(true, "it is JSON and valid for the schema")
	}
	if more := len(faults) - maxFaults; more > 0 {
		faults = append(faults[:maxFaults:maxFaults], fmt.Sprintf("and %d more", more))
	}
	return score.PlainResult(0, nil, faults, "")
}

// Validate returns the faults of a document by a JSON Schema, as a file has it. An error means that it cannot be
// applied.
func (p Ports) Validate(schema, document any) (faults []string, err error) {
	if p.Schema == nil {
		return nil, errors.New("its JSON Schema cannot be applied here; use `rubric run`")
	}
	if schema, err = decodeSchema(schema); err == nil {
		faults, err = p.Schema(schema, document)
	}
	if err != nil {
		err = fmt.Errorf("its JSON Schema cannot be used: %w", err)
	}
	return faults, err
}

// decodeSchema returns a schema with numbers as written. Files hold it as an object, a boolean, or
// either of them as text.
func decodeSchema(value any) (any, error) {
	if text, ok := value.(string); ok {
		return DecodeExact([]byte(text))
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return DecodeExact(text)
}

// DecodeExact decodes one JSON value and keeps its numbers as written, as [encoding/json.Number].
func DecodeExact(text []byte) (any, error) {
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
