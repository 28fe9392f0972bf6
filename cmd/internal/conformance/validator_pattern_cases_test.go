package conformance

import (
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// TestValidatorPattern holds what JavaScript says of each; most of what is refused there
// Go takes, or the other way round.
func TestValidatorPattern(t *testing.T) {
	for pattern, want := range map[string]bool{
		``: true, `a|`: true, `(?=a)*`: true, `(?!a){2}`: true, `(?<=a)b`: true, `(a)\1\9`: true, `[]`: true, `[^]`: true,
		`a{`: true, `a{,2}`: true, `a{2,1`: true, `{a`: true, `]}`: true, `a{1}?`: true, `\k`: true, `\k<a>`: true, `(?<a>.)\k<a>`: true,
		`[\d-z]`: true, `[a-\d]`: true, `[--a]`: true, `[z-]`: true, `\c`: true, `\u{1F600}`: true, `\x4`: true, `[\x41-\u00e9]`: true,
		`[\0-\377]`: true, `[\cA-\cZ]`: true, `😀+`: true, `(?<größe>.)`: true, `a{00002,3}`: true, `[\c-z]`: true, `[\400-9]`: true,

		`[invalid`: false, `(`: false, `)`: false, `(?a)`: false, `*`: false, `a**`: false, `a{1}{2}`: false, `{1}`: false, `|+`: false,
		`^*`: false, `\b+`: false, `(?<=a)*`: false, `a{2,1}`: false, `[z-a]`: false, `[\x62-a]`: false, `[😀-😁]`: false, `\`: false, `[\`: false,
		`(?<a>.)(?<a>.)`: false, `(?<1>.)`: false, `(?<>.)`: false, `(?<a.)`: false, `(?<a>.)\k<b>`: false, `(?<a>.)\k`: false,
		`(?<a>.)[\k]`: false, `[\400-!]`: false, `[\8-7]`: false, `[\u00zz-a]`: false, `[\c-A]`: false,
	} {
		found := evalFindings(agentv.Head, parse("prompts: [q]\ntests:\n  - assert:\n      - type: regex\n        value: '"+pattern+"'\n"), surroundings{})
		if got := findingLines(found, ""); (got == "") != want || got != "" && got != "warning regex_invalid tests[0].assert[0].value" {
			t.Errorf("%s: %q, want it taken: %v", pattern, got, want)
		}
	}
}
