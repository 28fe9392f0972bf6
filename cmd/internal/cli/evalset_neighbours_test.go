package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNeighbours: an evalset is run whatever other evalsets stand beside it, while
// its own clash with the configuration stops it, wherever that is.
func TestNeighbours(t *testing.T) {
	rubrics := func(id string) string {
		return `"rubrics": [{"rubric_id": "` + id + `", "rubric_content": {"text_property": "Is kind."}, "type": "FINAL_RESPONSE_QUALITY"}]`
	}
	withOwn := func(id string) string {
		return strings.Replace(greet, `"eval_id": "hi",`, `"eval_id": "hi", `+rubrics(id)+",", 1)
	}
	config := `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, ` + rubrics("kind") + `}}}`
	dir := write(t, map[string]string{
		"a/test_config.json": config, "a/mine.evalset.json": withOwn("mine"), "a/other.evalset.json": withOwn("kind"), "a/broken.evalset.json": "{",
		"b/far.evalset.json": withOwn("kind"),
	})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, c := range []struct {
		args []string
		want string // why it is not run; "" if it is
	}{
		{[]string{at("a/mine.evalset.json")}, ""},
		{[]string{at("a/other.evalset.json")}, "has the id `kind` too"},
		{[]string{at("b/far.evalset.json"), "--config", at("a/test_config.json")}, "a rubric in `far.evalset.json` has the id `kind` too"},
	} {
		code, _, stderr := rubric(t, "", append([]string{"run"}, c.args...)...)
		if ran := code != 2; ran != (c.want == "") || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: %d, %s", c.args, code, stderr)
		}
	}
	if _, out, _ := rubric(t, "", "check", at("a/test_config.json")); !strings.Contains(out, "a rubric in `other.evalset.json` has the id `kind` too") {
		t.Errorf("of the configuration alone it is said of all evalsets:\n%s", out)
	}
}
