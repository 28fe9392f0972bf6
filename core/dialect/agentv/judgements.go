package agentv

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// judgementType is the table of one judgement.
var judgementType = &schema.Type{
	Name: "judgement", Doc: "A person's grade of one answer.", Kind: schema.Map,
	RequireAny: []string{"satisfied", "score"}, OnMissingAll: "does not count the label", OnUnknownKey: "refuses the file",
	Fields: []*schema.Field{
		{Key: "case", Type: schema.String, Required: true, OnInvalid: "does not count the label", Doc: "The case's id."},
		{Key: "criterion", Type: schema.String, Required: true, OnInvalid: "does not count the label", Doc: "The criterion's id."},
		{Key: "turn", Type: schema.IntegerFrom(1), Doc: "The turn of a recorded conversation, counted from 1. Without it, the grade is for every turn."},
		{Key: "satisfied", Type: schema.Boolean, Doc: "Whether a checklist criterion is satisfied."},
		{Key: "score", Type: schema.NumberBetween(0, 10), Doc: "The score of a criterion with ranges, 0 to 10."},
		{Key: "note", Type: schema.String, Doc: "Why."},
		{Key: "by", Type: schema.String, Doc: "The person who graded."},
		{Key: "at", Type: schema.String, Doc: "When: a time of RFC 3339."},
		{Key: "fingerprint", Type: schema.String, Doc: "What was graded: a fingerprint of question, criterion and answer. A grade for something else is stale and not counted."},
	},
}

// AddJudgements returns the text of a labels file with more judgements, one a line at the end of their list. A text
// that is not a labels file of one key a line is an error.
func AddJudgements(tree *yaml.Tree, labels []rubric.Label) (string, error) {
	body := tree.Source.Body
	pair := tree.Root().Pair("judgements")
	if strings.HasPrefix(body[tree.Root().Span.Start:], "{") {
		return "", errInBraces
	}
	var at int
	prefix := "  - "
	switch {
	case pair == nil:
		if body = strings.TrimRight(body, "\n"); body != "" {
			body += "\n\n"
		}
		body += "judgements:\n"
		at = len(body)
	case len(pair.Value.List()) == 0:
		end := lineEnd(body, pair.Key.Span.End)
		comment := strings.Trim(body[pair.Key.Span.End:end], ": []\r\n")
		if comment != "" && !strings.HasPrefix(comment, "#") {
			return "", errInBraces
		}
		line := strings.TrimRight(body[:pair.Key.Span.End]+": "+comment, " ") + "\n"
		body = line + body[end:]
		at = len(line)
	default:
		items := pair.Value.List()
		last := items[len(items)-1]
		start := strings.LastIndex(body[:last.Span.Start], "\n") + 1
		if prefix = body[start:last.Span.Start]; strings.TrimSpace(prefix) != "-" {
			return "", errInBraces
		}
		if at = lineEnd(body, last.Span.End); !strings.HasSuffix(body[:at], "\n") {
			body += "\n"
			at++
		}
	}
	var lines strings.Builder
	for _, l := range labels {
		lines.WriteString(prefix + judgementLine(l) + "\n")
	}
	return body[:at] + lines.String() + body[at:], nil
}

var errInBraces = errors.New("it is written in braces; write its keys on lines of their own")

// lineEnd returns the end of the line that offset is on or has just ended.
func lineEnd(body string, offset int) int {
	if offset > 0 && body[offset-1] == '\n' {
		return offset
	}
	if i := strings.IndexByte(body[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(body)
}

// judgementLine returns a judgement as YAML on one line.
func judgementLine(l rubric.Label) string {
	line := "{ case: " + strconv.Quote(l.Case) + ", criterion: " + strconv.Quote(l.Criterion)
	if l.Turn > 0 {
		line += fmt.Sprintf(", turn: %d", l.Turn)
	}
	if l.Score != nil {
		line += fmt.Sprintf(", score: %v", *l.Score)
	} else {
		line += fmt.Sprintf(", satisfied: %v", *l.Satisfied)
	}
	for _, text := range []struct{ key, value string }{{"note", l.Note}, {"by", l.By}, {"at", l.At}, {"fingerprint", l.Fingerprint}} {
		if text.value != "" {
			line += ", " + text.key + ": " + strconv.Quote(text.value)
		}
	}
	return line + " }"
}
