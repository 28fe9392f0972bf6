package yaml_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestStream: a chunk that a stream loads has the tree that it has by itself, whatever the chunks around it hold.
func TestStream(t *testing.T) {
	t.Parallel()
	const indicators = "\"'[]{}:-#&*!|>%@`,?\t\n\r\xff"
	parts := append(snippets(t), "- |\n  no break at the end", "- a\n---\n- b\n", "---\n", "%YAML 1.2\n", "", "# comment\n", "- 'open\n", "- [open\n", "- |+\n  kept\n\n\n",
		"  - id: a\n    input: |\n      x\n", "- *unknown\n", "\ufeff- a\n", "- a\n...\n", "- x: --- y\n")
	streamed := 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		var chunks []string
		for range 20 {
			chunk := parts[rng.Intn(len(parts))]
			if !strings.HasPrefix(strings.TrimSpace(chunk), "- ") {
				chunk = "- " + strings.ReplaceAll(chunk, "\n", "\n  ") + "\n"
			}
			for rng.Intn(2) == 0 {
				pos, one := rng.Intn(len(chunk)+1), rng.Intn(len(indicators))
				chunk = chunk[:pos] + indicators[one:one+1] + chunk[pos:]
			}
			chunks = append(chunks, chunk)
		}
		stream := yaml.NewStream(chunks)
		for _, chunk := range chunks {
			src, loaded := text.New("", chunk), stream.Next()
			if loaded != nil {
				streamed++
			}
			got, want := yaml.ParseChunk(src, nil, loaded), yaml.ParseChunk(src, nil, nil)
			if dump(got) != dump(want) || described(got) != described(want) {
				t.Fatalf("%q\nin a stream  %s%s\nby itself    %s%s", chunk, dump(got), described(got), dump(want), described(want))
			}
		}
	}
	if streamed < 1000 {
		t.Errorf("the streams loaded %d chunks", streamed)
	}
}
