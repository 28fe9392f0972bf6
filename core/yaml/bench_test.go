package yaml_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// thousandCases is 18,000 lines, 400 KB.
func thousandCases() string {
	var b strings.Builder
	b.WriteString("cases:\n")
	for i := range 1000 {
		case10 := strings.Split(evalFile(), "  - id: case-")[brokenAt+1]
		fmt.Fprintf(&b, "  - id: thousand-%d-%s", i, case10)
	}
	return b.String()
}

// thousandJSON is the same as a program writes it: 14,000 lines, 260 KB.
func thousandJSON() string {
	body := evalJSON()
	start, end := strings.Index(body, "    {"), strings.LastIndex(body, "\n  ]")
	cases := body[start:end]
	return body[:start] + strings.Repeat(cases+",\n", 49) + cases + body[end:]
}

func texts() map[string]string {
	return map[string]string{"yaml": thousandCases(), "json": thousandJSON()}
}

// BenchmarkLibrary is the floor: the library alone, to its own nodes.
func BenchmarkLibrary(b *testing.B) {
	for name, body := range texts() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				loader, err := library.NewLoader(strings.NewReader(body), library.WithUniqueKeys(false))
				if err != nil {
					b.Fatal(err)
				}
				if err := loader.Load(new(library.Node)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for name, body := range texts() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if tree := yaml.Parse(text.New("", body)); len(tree.Problems) > 0 {
					b.Fatal(tree.Problems)
				}
			}
		})
	}
}

// BenchmarkJSON is the way of JSON beside that of the YAML it is, and beside the
// readers of the standard library.
func BenchmarkJSON(b *testing.B) {
	body := thousandJSON()
	raw := []byte(body)
	for _, way := range []struct {
		name string
		read func() error
	}{
		{"nodes", func() error { yaml.Parse(text.New("", body)); return nil }},
		{"nodes-as-yaml", func() error { yaml.Parse(text.New("", body+"# no JSON")); return nil }},
		{"encoding-json-any", func() error { return json.Unmarshal(raw, new(any)) }},
		{"encoding-json-tokens", func() (err error) {
			for d := json.NewDecoder(bytes.NewReader(raw)); err == nil; {
				_, err = d.Token()
			}
			return nil
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := way.read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBroken has one half-typed line amid the thousand cases.
func BenchmarkBroken(b *testing.B) {
	body := thousandCases()
	pos := strings.Index(body, "- id: thousand-500-")
	pos += strings.Index(body[pos:], "    question")
	body = body[:pos] + "    foo: \"bar\n" + body[pos:]
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if tree := yaml.Parse(text.New("", body)); len(tree.Problems) != 1 {
			b.Fatal(tree.Problems)
		}
	}
}

func BenchmarkAny(b *testing.B) {
	root := yaml.Parse(text.New("", thousandCases())).Root()
	for b.Loop() {
		root.Any()
	}
}
