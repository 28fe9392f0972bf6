package lsp_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rubric-ls/rubric/lsp"
)

// TestSettings compares the settings table with the decoded settings: the same names and the same
// defaults.
func TestSettings(t *testing.T) {
	encoded, err := json.Marshal(lsp.DefaultRunSettings())
	if err != nil {
		t.Fatal(err)
	}
	var usual map[string]any
	if err := json.Unmarshal(encoded, &usual); err != nil {
		t.Fatal(err)
	}
	for _, s := range lsp.Settings() {
		if got, is := usual[s.Name]; !is || fmt.Sprint(got) != fmt.Sprint(s.Default) {
			t.Errorf("`%s` is %v by the table and %v where nothing is set", s.Name, s.Default, got)
		}
		delete(usual, s.Name)
	}
	if len(usual) > 0 {
		t.Errorf("not in the table: %v", usual)
	}
}
