package jsonschema

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
		_, err := gojsonschema.NewSchema(sealedLoader{gojsonschema.NewGoLoader(schema)})
		if err == nil || !strings.Contains(err.Error(), "other schemas are not loaded") {
			t.Errorf("%s: %v", ref, err)
		}
	}
}
