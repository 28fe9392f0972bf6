package quickjson_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/quickjson"
)

type (
	question struct {
		Model       string          `json:"model"`
		Messages    []message       `json:"messages"`
		Schema      json.RawMessage `json:"schema"`
		Temperature *float64        `json:"temperature,omitempty"`
	}
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	reply struct {
		Model   string `json:"model"`
		Choices []struct {
			Message message `json:"message"`
			Reason  string  `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		} `json:"usage"`
	}
	line struct {
		ID       string      `json:"id"`
		Score    float64     `json:"score"`
		Hits     []string    `json:"hits"`
		Error    string      `json:"error,omitempty"`
		Criteria []criterion `json:"criteria"`
	}
	criterion struct {
		ID       string   `json:"id"`
		Text     string   `json:"text"`
		Weight   float64  `json:"weight"`
		Required bool     `json:"required"`
		Least    *float64 `json:"least,omitempty"`
	}
)

// BenchmarkJSON is what the JSON of a case costs, beside what it costs encoding/json.
func BenchmarkJSON(b *testing.B) {
	grades := `{"checks":[{"id":"format","score":9,"reasoning":"It is in the form that was asked for."},{"id":"tone","score":7,"reasoning":"Polite."}],"overall_reasoning":"Good."}`
	quoted, _ := json.Marshal(grades)
	replied := fmt.Sprintf(`{"choices":[{"finish_reason":"stop","index":0,"message":{"content":%s,"role":"assistant"}}],"created":1,"id":"c1","model":"m","usage":{"completion_tokens":20,"prompt_tokens":100,"total_tokens":120}}`, quoted)
	asked := question{
		Model: "m", Temperature: new(float64), Schema: json.RawMessage(grades),
		Messages: []message{{"system", "You are an examiner."}, {"user", strings.Repeat("A line of the question, with what there is to examine.\n", 50)}},
	}
	told := line{ID: "case", Score: 0.9, Hits: []string{"[format] It is in the form that was asked for.", "[tone] Polite."}}
	for i := range 8 {
		told.Criteria = append(told.Criteria, criterion{ID: fmt.Sprint("criterion-", i), Text: "The answer says what it was asked for, and no more.", Weight: 1})
	}
	for _, c := range []struct {
		name         string
		ours, theirs func() error
	}{
		{"question", func() error { _, err := quickjson.Marshal(asked, false); return err }, func() error { _, err := json.Marshal(asked); return err }},
		{"reply", func() error { return quickjson.Unmarshal(replied, new(reply)) }, func() error { return json.Unmarshal([]byte(replied), new(reply)) }},
		{"grades", func() error { return quickjson.Unmarshal(grades, new(any)) }, func() error { return json.Unmarshal([]byte(grades), new(any)) }},
		{"record", func() error { return quickjson.Write(io.Discard, &told, false, "\n") }, func() error { return json.NewEncoder(io.Discard).Encode(&told) }},
	} {
		for name, do := range map[string]func() error{"quickjson": c.ours, "encoding/json": c.theirs} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := do(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
