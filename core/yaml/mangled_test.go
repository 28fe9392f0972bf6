package yaml_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestMangled gives a tree whose spans nest to files in which nothing is right.
func TestMangled(t *testing.T) {
	t.Parallel()
	pick := func(rng *rand.Rand, lines []string) *string { return &lines[rng.Intn(len(lines))] }
	for name, mangle := range map[string]func(*rand.Rand, []string){
		"lines in any order": func(rng *rand.Rand, lines []string) {
			rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		},
		"any indentation": func(rng *rand.Rand, lines []string) {
			for i := range lines {
				lines[i] = strings.Repeat(" ", rng.Intn(8)) + strings.TrimSpace(lines[i])
			}
		},
		"no indentation": func(_ *rand.Rand, lines []string) {
			for i := range lines {
				lines[i] = strings.TrimSpace(lines[i])
			}
		},
		"characters missing": func(rng *rand.Rand, lines []string) {
			for range lines {
				if line := pick(rng, lines); *line != "" {
					pos := rng.Intn(len(*line))
					*line = (*line)[:pos] + (*line)[pos+1:]
				}
			}
		},
		"indicators anywhere": func(rng *rand.Rand, lines []string) {
			const indicators = "\"'[]{}:-#&*!|>%@`,?\t"
			for range len(lines) / 4 {
				line, one := pick(rng, lines), rng.Intn(len(indicators))
				pos := rng.Intn(len(*line) + 1)
				*line = (*line)[:pos] + indicators[one:one+1] + (*line)[pos:]
			}
		},
	} {
		for seed := range int64(3) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				lines := strings.Split(evalFile(), "\n")
				mangle(rand.New(rand.NewSource(seed)), lines)
				body := strings.Join(lines, "\n")
				tree := yaml.Parse(text.New("", body))
				nest(t, tree)
				if len(tree.Problems) == 0 || tree.Root().IsNull() && len(tree.Docs) == 1 {
					t.Errorf("%d problems, and all is lost: %v", len(tree.Problems), tree.Root().IsNull())
				}
			})
		}
	}
}
