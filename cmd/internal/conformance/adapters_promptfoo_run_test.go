package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/results"
	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() { adapters["run@promptfoo"] = promptfooRun }

type promptfooRow struct {
	Test, Column                     int
	Provider, Label, Prompt, Failure string
	Output                           any
	Success                          bool
	Score                            float64
	NamedScores                      map[string]float64
}

// promptfooRun runs a whole configuration through the engine, with the prompt as the answer and as the
// judge's reply.
func promptfooRun(t *testing.T, c testCase) error {
	var in struct {
		Files     map[string]string
		Unordered bool
	}
	var want struct {
		Exit    int
		Error   string
		Rows    []promptfooRow
		Columns []struct {
			Score                 float64
			Passes, Fails, Errors int
			NamedScores           map[string]float64
		}
	}
	decodeInto(t, c.Input, &in)
	decodeInto(t, []byte(strings.ReplaceAll(string(c.Expected), "$DIR/", "")), &want)
	tree := yaml.Parse(text.New("", in.Files["promptfooconfig.yaml"]))
	reader := dialect.Reader{
		ReadFile: func(reference string) (string, bool) {
			body, found := in.Files[path.Clean(reference)]
			return body, found
		},
		ListFiles: func(pattern string) (names []string) {
			for name := range in.Files {
				if ok, _ := path.Match(path.Clean(pattern), name); ok {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			return names
		},
	}
	suite := promptfoo.Lower(reader, tree, promptfoo.Config)
	if want.Error != "" {
		isFatal := func(l rubric.Loss) bool { return l.Fatal }
		if len(tree.Problems) == 0 && !slices.ContainsFunc(suite.Losses, isFatal) {
			return errors.New("the file is not refused")
		}
		return nil
	}
	records, err := promptfooRecords(t.Context(), suite)
	if err != nil {
		return err
	}
	var inOrder []run.Record
	exit := 0
	for _, row := range want.Rows {
		rec, err := findPromptfooRecord(suite, records, row, in.Unordered)
		if err != nil {
			return err
		}
		output, isText := row.Output.(string)
		failure := map[bool]string{true: "none", false: "assert"}[rec.Verdict == score.Pass]
		if rec.Error != "" || rec.Ungraded > 0 && failure != "none" {
			failure = "error"
		}
		switch {
		case failure != row.Failure || !closeTo(&row.Score, *rec.Score):
			return fmt.Errorf("%s with %s: %s with %v: %q", row.Prompt, row.Provider, failure, *rec.Score, rec.Reasons)
		case isText && failure != "error" && rec.CandidateAnswer != output:
			return fmt.Errorf("the answer is %q", rec.CandidateAnswer)
		}
		if failure != "none" {
			exit = 100
		}
		rec.Target, rec.Prompt = row.Provider, fmt.Sprint(row.Column)
		rec.EvalID = fmt.Sprint(row.Test)
		inOrder = append(inOrder, rec)
	}
	if exit != want.Exit {
		return fmt.Errorf("the exit status is %d", exit)
	}
	var out bytes.Buffer
	if err := results.Write(&out, "", inOrder, suite.Derived); err != nil {
		return err
	}
	var written struct {
		Results struct {
			Prompts []struct {
				Label   string
				Metrics struct {
					Score         float64
					TestPassCount int
					TestFailCount int
					NamedScores   map[string]float64
				}
			}
			Results []struct {
				PromptIdx   int
				NamedScores map[string]float64
			}
		}
	}
	decodeInto(t, out.Bytes(), &written)
	for i, row := range want.Rows {
		if got := written.Results.Results[i].NamedScores; mustJSON(got) != mustJSON(row.NamedScores) {
			return fmt.Errorf("the named scores of row %d are %v", i, got)
		}
	}
	for at, got := range written.Results.Prompts {
		first := slices.IndexFunc(written.Results.Results, func(r struct {
			PromptIdx   int
			NamedScores map[string]float64
		}) bool {
			return r.PromptIdx == at
		})
		if len(want.Columns) == 0 || first < 0 {
			continue
		}
		column := want.Columns[want.Rows[first].Column]
		if m := got.Metrics; !closeTo(&column.Score, m.Score) || column.Passes != m.TestPassCount || column.Fails != m.TestFailCount || mustJSON(column.NamedScores) != mustJSON(m.NamedScores) {
			return fmt.Errorf("column %d has %+v", at, m)
		}
	}
	return nil
}

func promptfooRecords(ctx context.Context, suite *rubric.Suite) (map[string]run.Record, error) {
	settings := run.DefaultSettings()
	settings.Targets, settings.Judges, settings.Profile = []string{run.EchoName}, []string{run.EchoName}, score.Promptfoo
	host := run.Host{Schema: func(schema, document any) ([]string, error) { return jsonschema.Validate(schema, document, nil) }}
	opened, err := run.Open(ctx, host, settings, run.File{Suite: suite})
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	records := map[string]run.Record{}
	for e := range opened.Run(ctx, suite, nil) {
		if e.Stage == run.Done {
			records[e.Case.ID] = *e.Record
		}
	}
	return records, nil
}

// findPromptfooRecord returns the record of the case of a row. Providers share the cases.
func findPromptfooRecord(suite *rubric.Suite, records map[string]run.Record, row promptfooRow, unordered bool) (run.Record, error) {
	var found []string
	for _, c := range suite.Cases {
		own, _ := c.DialectData.(*promptfoo.Row)
		isText := own.Text == row.Prompt || own.Text == row.Output
		if unordered && isText || !unordered && own.Test == row.Test && (isText || strings.Contains(row.Label, own.Prompt.Label)) {
			found = append(found, c.ID)
		}
		if isText && !unordered && own.Test == row.Test {
			return records[c.ID], nil
		}
	}
	if len(found) != 1 {
		return run.Record{}, fmt.Errorf("test %d with %q has the cases %q", row.Test, row.Prompt, found)
	}
	return records[found[0]], nil
}
