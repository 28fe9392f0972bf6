package artefact

import (
	"bytes"
	"strings"
	"testing"
)

// TestUnknownModule checks that a module of an unknown layout is used as it is, with a note.
func TestUnknownModule(t *testing.T) {
	wasm := []byte("\x00asm\x01\x00\x00\x00")
	var notes bytes.Buffer
	if got := slimOrUnchanged(&notes, "rubric.wasm", wasm); !bytes.Equal(got, wasm) {
		t.Errorf("the module changed to %q", got)
	}
	if !strings.HasPrefix(notes.String(), "rubric.wasm is not slimmed") {
		t.Errorf("the note is %q", notes.String())
	}
}
