package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestHalfTypedJSON loses nothing but the case that is typed into.
func TestHalfTypedJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	body := evalJSON()
	whole := yaml.Parse(text.New("", body))
	if len(whole.Problems) > 0 {
		t.Fatal(whole.Problems)
	}
	total, exact := 0, 0
	for _, key := range []string{`      "conversation"`, `      "state"`, `      "threshold"`} {
		for _, content := range []string{
			`"`, `"foo`, `"foo"`, `"foo":`, `"foo" "bar"`, `"foo": "`, `"foo": "bar`, `"foo": "bar"`, `"foo": "a" "b",`, `"foo": "\q",`, `"foo": 1 2,`, `"foo": 1 "bar": 2,`,
			`"foo": [`, `"foo": ["a"`, `"foo": ["a",`, `"foo": [{`, `"foo": {`, `"foo": {"a"`, `"foo": {"a": 1`, `"foo": {"a": "b}`, `"foo": [1}`, `"foo": {1]`,
			`{`, `[`, `}`, `]`, `},`, `],`, `},{`, `, ,`, `{ "id": "new"`, `foo`, `foo: bar`, `foo: "`, `'`, `'foo`, `@`, "`", `%`, `*`, `&`, `!`, `|`, `-`, `- foo`, `// note`, `/* note */`,
		} {
			broken, span := typedJSON(body, key, content)
			alone := yaml.Parse(text.New("", broken))
			nest(t, alone)
			span.End++
			if len(alone.Problems) == 0 {
				continue // it is other YAML, but not broken
			}
			total++
			switch kind, detail := (edited{whole, alone, span}).damage(); kind {
			case "":
				exact++
			case "file":
				t.Errorf("%s before %s: lost more than the case: %s\n%v", content, key, detail, alone.Problems)
			}
		}
	}
	t.Logf("%d of %d lost only what was typed", exact, total)
	if exact*100 < total*90 {
		t.Errorf("only %d of %d lost no more than what was typed", exact, total)
	}
}

// typedJSON puts words before the line that starts with key in the broken case.
func typedJSON(body, key, content string) (string, text.Span) {
	pos := strings.Index(body, fmt.Sprintf(`"case-%d"`, brokenAt))
	pos += strings.Index(body[pos:], "\n"+key) + 1
	content = "      " + content
	return body[:pos] + content + "\n" + body[pos:], text.Span{Start: pos, End: pos + len(content)}
}
