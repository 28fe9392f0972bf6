package agentv_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/schema"
)

func TestReadableTermFor(t *testing.T) {
	const seed, stable, head = agentv.Seed, agentv.V4, agentv.Head
	for _, row := range []struct {
		key  string
		in   agentv.Scope
		to   agentv.Version
		want string // the place and name, and whether the value may stay
	}{
		{"testcases", agentv.InFile, seed, "file evalcases true"},
		{"tests", agentv.InFile, seed, "file evalcases true"},
		{"evalcases", agentv.InFile, stable, "file evalcases true"}, // with a warning, but read
		{"evalcases", agentv.InFile, head, "file tests true"},
		{"cases", agentv.InFile, head, "file tests true"},
		{"criteria", agentv.InCase, seed, "case expected_outcome true"},
		{"outcome", agentv.InCase, stable, "case criteria true"},
		{"expected_outcome", agentv.InCase, head, "case expected_outcome true"},
		{"expected_outcome", agentv.InCriterion, stable, "criterion outcome true"},
		{"description", agentv.InCriterion, head, "criterion outcome true"},
		{"criteria", agentv.InCriterion, seed, "criterion expected_outcome true"},
		{"outcome", agentv.InRange, seed, "range expected_outcome true"},
		{"input_messages", agentv.InCase, stable, "case input true"},
		{"input_messages", agentv.InCase, head, "file prompts false"},
		{"prompts", agentv.InFile, seed, "case input false"},
		{"expected_messages", agentv.InCase, head, "vars expected_output false"},
		{"assert", agentv.InCase, seed, "case evaluators true"},
		{"assert", agentv.InCase, stable, "case assert true"}, // with a warning
		{"assertions", agentv.InCase, head, "case assert true"},
		{"assertions", agentv.InFile, seed, "execution evaluators false"},
		{"code_judge", agentv.InType, stable, "type code-grader true"},
		{"code-grader", agentv.InType, head, "type script true"},
		{"script", agentv.InType, seed, "type code_judge true"},
		{"script", agentv.InGrader, head, "grader command true"},
		{"command", agentv.InGrader, seed, "grader script true"},
		{"llm-rubric", agentv.InType, stable, "type llm-grader true"},
		{"value", agentv.InGrader, stable, "grader rubrics true"},
		{"rubrics", agentv.InType, head, "type llm-rubric true"},
		{"token_usage", agentv.InType, head, "type token-usage true"},
		{"required_min_score", agentv.InCriterion, stable, "criterion required_min_score true"},
		{"required_min_score", agentv.InCriterion, head, "criterion min_score false"},
		{"min_score", agentv.InCriterion, seed, "criterion required_min_score false"},
		{"target", agentv.InFile, head, "file providers false"},
		{"targets", agentv.InTargets, head, "targets file providers true"},
		{"tool-trajectory", agentv.InType, head, "none"},
		{"metric", agentv.InGrader, stable, "grader name true"},
		{"tests", agentv.InCase, seed, "none"},
		{"weight", agentv.InCriterion, head, "none"},
	} {
		got := "none"
		if name, asIs, ok := agentv.ReadableTermFor(row.key, row.in, row.to); ok {
			got = fmt.Sprint(name.Scope, " ", name.Text, " ", asIs)
		}
		if got != row.want {
			t.Errorf("%s of a %s in %s is %q, want %q", row.key, row.in, row.to, got, row.want)
		}
	}
}

func TestVersionsReading(t *testing.T) {
	for _, row := range []struct {
		key  string
		in   agentv.Scope
		want string
	}{
		{"testcases", agentv.InFile, "[]"},
		{"evalcases", agentv.InFile, "[seed stable-4.42.4]"},
		{"cases", agentv.InFile, "[]"},
		{"tests", agentv.InFile, "[stable-4.42.4 head]"},
		{"assert", agentv.InCase, "[stable-4.42.4 head]"},
		{"expected_outcome", agentv.InCase, "[seed stable-4.42.4 head]"},
		{"expected_outcome", agentv.InRange, "[seed]"},
		{"weight", agentv.InCriterion, "[]"},
	} {
		if got := fmt.Sprint(agentv.VersionsReading(row.key, row.in)); got != row.want {
			t.Errorf("%s of a %s: %s, want %s", row.key, row.in, got, row.want)
		}
	}
}

// TestConcepts checks that a key names at most one concept per scope, so that renaming it is
// unambiguous, and that the dates of a term are in order.
func TestConcepts(t *testing.T) {
	for i := range agentv.Concepts {
		c := &agentv.Concepts[i]
		if len(c.Terms) < 2 {
			t.Errorf("%s has no other name", c.Description)
		}
		for _, term := range c.Terms {
			if agentv.LookupConcept(term.Text, term.Scope) != c {
				t.Errorf("%s of a %s is %s, and more", term.Text, term.Scope, c.Description)
			}
			old, went := term.DeprecatedSince, term.RemovedSince
			if went == "" {
				went = "9999"
			}
			if old == "" {
				old = went
			}
			if term.Since > old || old > went || term.Since == went {
				t.Errorf("%s of a %s is removed before it is added: %+v", term.Text, term.Scope, term)
			}
		}
	}
}

// TestSeedNames compares the concepts with the seed's fields. Names added between the seed and the
// first renaming are fields as well.
func TestSeedNames(t *testing.T) {
	caseType := seed.EvalFile.Field("evalcases").Type.Items
	graders := caseType.Field("evaluators").Type.Items
	places := map[agentv.Scope]*schema.Type{
		agentv.InFile: seed.EvalFile, agentv.InTargets: agentv.TargetsFile,
		agentv.InExecution: caseType.Field("execution").Type, agentv.InCase: caseType,
	}
	for _, c := range agentv.Concepts {
		for _, term := range c.Terms {
			var read bool
			if fields := places[term.Scope]; fields != nil {
				f := fields.Field(term.Text)
				read = f != nil && f.RemovedIn == ""
			} else if term.Scope == agentv.InType {
				read = graders.VariantByTag(term.Text) != nil
			} else {
				continue
			}
			soonAfter := term.Since > "2026-02-06" && term.Since < "2026-02-18"
			if known := slices.Contains(agentv.VersionsReading(term.Text, term.Scope), agentv.Seed); known != read && !soonAfter {
				t.Errorf("%s of a %s is read by the seed: %v, and a field: %v", term.Text, term.Scope, known, read)
			}
		}
	}
}
