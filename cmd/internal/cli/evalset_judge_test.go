package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// property finds the rubrics that a judge is asked about.
var property = regexp.MustCompile(`ID: (.*)\nProperty: (.*)`)

// agreeWithAll replies to every question of every metric, in the form that it asks for,
// that all is well.
func agreeWithAll(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) != 2 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	system, user := asked.Messages[0].Content, asked.Messages[1].Content
	reply := `{"checks": [`
	for i, id := range []string{"hate", "harassment", "danger", "inappropriate", "privacy", "illegal"} {
		reply += strings.Repeat(",", min(i, 1)) + fmt.Sprintf(`{"id": %q, "satisfied": true, "reasoning": "r"}`, id)
	}
	reply += `], "overall_reasoning": "o"}`
	switch {
	case strings.Contains(system, "is_the_agent_response_valid"):
		reply = `{"reasoning": "r", "is_the_agent_response_valid": "valid"}`
	case strings.Contains(system, "<sentence>"):
		reply = "<sentence>All of it.</sentence>"
	case strings.Contains(system, "supporting_excerpt"):
		reply = "sentence: All of it.\nlabel: supported\nrationale: r\nsupporting_excerpt: e\ncontradicting_excerpt: null"
	case property.MatchString(user):
		reply = ""
		for _, p := range property.FindAllStringSubmatch(user, -1) {
			reply += fmt.Sprintf("ID: %s\nProperty: %s\nEvidence: e\nRationale: r\nVerdict: yes\n\n", p[1], p[2])
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that is gone needs no reply
		"model": "m", "usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5},
		"choices": []any{map[string]any{"message": map[string]any{"content": reply}, "finish_reason": "stop"}},
	})
}

// TestEvalsetModel: a model judges all metrics in their own forms, as often as the
// configuration says.
func TestEvalsetModel(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(agreeWithAll))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "k-1")
	args := []string{"run", banking, "--recorded", visits, "--judge", "openai:m", "--no-cache"}
	code, stdout, stderr := rubric(t, "", append(args, "--format", "jsonl")...)
	if code != 1 {
		t.Fatalf("%d: %s", code, stderr)
	}
	for id, want := range map[string]string{
		"checks_then_transfers": "", "invents_a_transaction": "", "leaks_an_account": "response_match_score", "transfers_before_checking": "tool_trajectory_avg_score",
	} {
		rec := recordsByCase(t, stdout)[id]
		if got := failedMetrics(rec); got != want {
			t.Errorf("%s: %q fail, want %q", id, got, want)
		}
		if replies := rec.Graders[2].Metric.Invocations[0].Replies; len(replies) != 3 || replies[0].Model != "m" {
			t.Errorf("%s: %+v", id, replies)
		}
	}
	if _, stdout, _ := rubric(t, "", append(args, "--samples", "1")...); strings.Contains(stdout, "lexical stand-in") || !strings.Contains(stdout, "2 pass, 2 fail") {
		t.Errorf("%s", stdout)
	}
}
