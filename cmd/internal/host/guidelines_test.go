package host

import "testing"

// TestGlobs: what micromatch answers, with its default options.
func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		glob, path string
		want       bool
	}{
		{"**/*.instructions.md", "docs/a.instructions.md", true}, {"**/*.instructions.md", "a.instructions.md", true}, {"**/*.instructions.md", "docs/a.md", false},
		{"docs/**", "docs/deep/a.md", true}, {"docs/**", "doc/a.md", false}, {"**/rules/**", "x/rules/y/z.md", true}, {"**", "a/b", true},
		{"*.md", "a.md", true}, {"*.md", "docs/a.md", false}, {"*.md", ".a.md", false}, {"**/*.md", ".github/a.md", false}, {".github/*.md", ".github/a.md", true},
		{"docs/?.md", "docs/a.md", true}, {"docs/?.md", "docs/ab.md", false}, {"{docs,rules}/*.{md,txt}", "rules/a.txt", true}, {"{docs,rules}/*.md", "src/a.md", false},
		{"docs/[ab].md", "docs/b.md", true}, {"docs/[ab].md", "docs/c.md", false}, {"a+b(c).md", "a+b(c).md", true},
		{"{docs,.github}/*.md", ".github/a.md", true}, {".github/**", ".github/.x/a.md", false},
	} {
		if got := matchesGlob(c.glob, c.path); got != c.want {
			t.Errorf("%s, %s: %v", c.glob, c.path, got)
		}
	}
}
