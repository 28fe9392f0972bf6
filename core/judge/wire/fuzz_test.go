package wire_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// FuzzDecode: every reply of every provider is an answer with a text or a fault
// of one line.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(goldens, "*", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("%d goldens, %v", len(files), err)
	}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, body)
		f.Add(429, body)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		for _, p := range wire.Providers() {
			a, err := p.Decode(wire.Reply{Status: status, Body: string(body)})
			var fault *wire.Fault
			switch {
			case err == nil && strings.TrimSpace(a.Text) == "":
				t.Errorf("%s: an answer of nothing", p.Name)
			case err != nil && (!errors.As(err, &fault) || strings.ContainsAny(err.Error(), "\n\r") || fault.RetryAfter < 0):
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	})
}
