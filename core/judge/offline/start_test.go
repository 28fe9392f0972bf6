package offline_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestStart: whoever asks another judge does not wait for this one's word lists.
func TestStart(t *testing.T) {
	const most = 10_000 // bytes; kin alone would take as many
	start := exec.Command(os.Args[0], "-test.run=^$")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := start.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, line, _ := strings.Cut(string(out), "init github.com/rubric-ls/rubric/core/judge/offline @")
	var at, clock float64
	var bytes int
	if _, err := fmt.Sscanf(line, "%f ms, %f ms clock, %d bytes", &at, &clock, &bytes); err != nil || bytes > most {
		t.Errorf("%d bytes are taken at the start, more than %d: %v", bytes, most, err)
	}
}
