package metric_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

var profiles = []metric.Profile{metric.Latest, metric.V2}

// FuzzBlocks: no reply breaks the parser, a verdict is on a rubric that there is,
// and a block on one that there is not changes nobody else's verdict.
func FuzzBlocks(f *testing.F) {
	f.Add(block("polite", "The answer is polite", "yes"), "zzz")
	f.Add("Property: a\r\nRationale: b Verdict: c\nVerdict: no", "")
	f.Add("\n ID: typed\n\tProperty: **Names the price**\nRationale: \nVerdict: unknown", "ID: polite")
	f.Fuzz(func(t *testing.T, reply, unknown string) {
		rubrics := []metric.Rubric{polite, typed}
		for _, p := range profiles {
			blocks := metric.ParseBlocks(p, reply)
			found, _ := metric.MatchBlocks(p, rubrics, blocks)
			for _, s := range found {
				if s.ID != polite.ID && s.ID != typed.ID || s.Score != nil && *s.Score != 0 && *s.Score != 1 {
					t.Fatalf("%+v", s)
				}
			}
			stranger := metric.Block{ID: "unknown " + unknown, Property: "unknown " + unknown}
			for at := range len(blocks) + 1 {
				with := append(append(append([]metric.Block{}, blocks[:at]...), stranger), blocks[at:]...)
				if again, _ := metric.MatchBlocks(p, rubrics, with); !reflect.DeepEqual(found, again) {
					t.Fatalf("%+v became %+v", found, again)
				}
			}
			// The same in words, after a reply whose last line is whole.
			if len(blocks) > 0 && strings.HasSuffix(reply, "\n") && !strings.ContainsAny(unknown, "\n") && !strings.Contains(unknown, ": ") {
				more := reply + "ID: unknown\nProperty: unknown " + unknown + "\nRationale: r\nVerdict: no\n"
				again, _ := metric.MatchBlocks(p, rubrics, metric.ParseBlocks(p, more))
				if counted(p, reply) && !reflect.DeepEqual(found, again) {
					t.Fatalf("%+v became %+v", found, again)
				}
			}
		}
	})
}

// counted reports whether a reply has as many labels of each kind, so that one
// more block is a block.
func counted(p metric.Profile, reply string) bool {
	n := len(metric.ParseBlocks(p, reply))
	lines := func(label string) (all int) {
		for line := range strings.SplitSeq(reply, "\n") {
			if strings.Contains(line, label) {
				all++
			}
		}
		return all
	}
	return p == metric.Latest || lines("Property: ") == n && lines("Rationale: ") == n && lines("Verdict: ") == n
}

// FuzzReplies: no reply breaks the other parsers, and what they find stands in it.
func FuzzReplies(f *testing.F) {
	f.Add(`{"is_the_agent_response_valid": ["valid"], "is_valid": True}`)
	f.Add("<sentence>a</sentence><sentence>")
	f.Add(claim("a", "supported", "null", "K\u212A") + "sentence:")
	f.Fuzz(func(t *testing.T, reply string) {
		for _, l := range []metric.Label{metric.ParseLabel(reply), metric.ParseUserLabel(reply)} {
			if l != metric.Valid && l != metric.Invalid && l != metric.NotFound {
				t.Fatal(l)
			}
		}
		for _, s := range metric.ParseSentences(reply) {
			if !strings.Contains(reply, "<sentence>"+s+"</sentence>") {
				t.Fatalf("%q", s)
			}
		}
		for _, c := range metric.ParseClaims(reply) {
			for _, field := range []string{c.Sentence, c.Label, c.Rationale} {
				if !strings.Contains(reply, field) {
					t.Fatalf("%+v", c)
				}
			}
		}
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: says(reply)}, metric.Criterion{Metric: metric.Hallucinations}, one(turn("q", "a")))
		if r.Score != nil && (*r.Score < 0 || *r.Score > 1) {
			t.Fatal(*r.Score)
		}
	})
}

// odd are pieces of which a long reply would be slow to read if a parser looked
// at a part of it again and again, each with the blocks and claims in one of it.
var odd = []struct {
	piece          string
	blocks, claims int // in each piece
}{
	{"Property: a\n", 0, 0}, {"ID: ", 0, 0}, {"\n", 0, 0}, {"Property: a\nRationale: b\nVerdict: yes\n", 1, 0}, {"Verdict: ", 0, 0},
	{"<sentence>", 0, 0}, {"sentence:", 0, 0}, {"sentence:\nlabel:", 0, 0}, {claim("a", "supported", "e", "c"), 0, 1},
	{`"is_the_agent_response_valid":`, 0, 0}, {`"is_the_agent_response_valid": [[ "`, 0, 0}, {`"is_valid": `, 0, 0},
	{"e\u0301", 0, 0}, {"\u0301", 0, 0}, {"yyyy", 0, 0}, {"ﷺ", 0, 0},
}

// readAll is what all parsers do with a reply.
func readAll(reply string) (blocks, claims int) {
	for _, p := range profiles {
		found := metric.ParseBlocks(p, reply)
		metric.MatchBlocks(p, []metric.Rubric{polite}, found)
		metric.Normalize(p, reply)
		blocks = len(found)
	}
	metric.ParseLabel(reply)
	metric.ParseUserLabel(reply)
	metric.ParseSentences(reply)
	return blocks, len(metric.ParseClaims(reply))
}

func TestLongReplies(t *testing.T) {
	for _, o := range odd {
		const n = 20_000
		if blocks, claims := readAll(strings.Repeat(o.piece, n)); blocks != n*o.blocks || claims != n*o.claims {
			t.Errorf("%q: %d blocks and %d claims", o.piece, blocks, claims)
		}
	}
}

// BenchmarkReplies shows MB/s for long replies and for ones ten times as long,
// which are about the same if time grows as the text does.
func BenchmarkReplies(b *testing.B) {
	for _, o := range odd {
		for _, size := range []int{50_000, 500_000} {
			b.Run(fmt.Sprintf("%.12q/%dkB", o.piece, size/1000), func(b *testing.B) {
				reply := strings.Repeat(o.piece, size/len(o.piece))
				b.SetBytes(int64(len(reply)))
				for b.Loop() {
					readAll(reply)
				}
			})
		}
	}
}
