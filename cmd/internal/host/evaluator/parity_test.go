//go:build !race

package evaluator_test

import (
	"path/filepath"
	"testing"

	"github.com/rubric-ls/rubric/wasm/parity"
)

// TestParity holds the module against the function for every text that the
// repository has.
func TestParity(t *testing.T) {
	requests, err := parity.Requests(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	m := open(t)
	for _, request := range requests {
		same(t, m, string(request))
	}
	t.Logf("%d requests", len(requests))
}
