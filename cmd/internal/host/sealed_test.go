package host

import (
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
)

// TestSealedLoadsNothing: were a reference to be overlooked, it would still not
// be followed.
func TestSealedLoadsNothing(t *testing.T) {
	for _, ref := range []string{"http://127.0.0.1:1/x", "file:///etc/hostname"} {
		schema := map[string]any{"items": map[string]any{"$ref": ref}}
		_, err := gojsonschema.NewSchema(sealed{gojsonschema.NewGoLoader(schema)})
		if err == nil || !strings.Contains(err.Error(), "other schemas are not loaded") {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// TestPatience: what the count of its work does not see ends by the clock.
func TestPatience(t *testing.T) {
	s, err := compile(map[string]any{"pattern": "(a|b|c){500}d"})
	if err != nil {
		t.Fatal(err)
	}
	b := &budget{left: 1} // a nanosecond
	for range 2 {
		if _, err := s.apply(strings.Repeat("abc", 1<<12), b); err != errTooLong {
			t.Errorf("%v", err)
		}
	}
	if _, err := s.apply("abc", newBudget()); err != nil {
		t.Errorf("of another file: %v", err)
	}
}
