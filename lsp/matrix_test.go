package lsp_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

var update = flag.Bool("update", false, "write README.md anew")

// TestMain compares README.md with the conformance matrix of what the tests sent and awaited, or
// writes it with -update.
func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if run := flag.Lookup("test.run").Value.String(); status == 0 && run == "" && !testing.Short() {
		status = checkReadme(matrix())
	}
	os.Exit(status)
}

func checkReadme(want string) int {
	const path = "README.md"
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			fmt.Println(err)
			return 1
		}
		return 0
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		fmt.Println("lsp/README.md is not what the tests do; `go test ./lsp -update` writes it")
		return 1
	}
	return 0
}

const preface = `# What the language server speaks

<!-- Written by ` + "`go test ./lsp -update`" + ` from what the tests send and await. Do not edit. -->

Every message of version 3.18 of the protocol, what the server offers for it, and the tests that exercise it. Where no
test is named the server neither takes nor sends it.

`

// matrix returns the table of methods, capabilities and tests.
func matrix() string {
	var b strings.Builder
	b.WriteString(preface)
	taken := lsp.Methods()
	for _, d := range []struct {
		heading string
		is      func(protocol.MethodInfo) bool
	}{
		{"From clients", func(i protocol.MethodInfo) bool { return i.Direction != protocol.DirectionServerToClient }},
		{"To clients", func(i protocol.MethodInfo) bool { return i.Direction != protocol.DirectionClientToServer }},
	} {
		fmt.Fprintf(&b, "## %s\n\n| method | | capability | tests |\n|---|---|---|---|\n", d.heading)
		for _, i := range protocol.Methods {
			capabilities, known := taken[i.Method]
			if !d.is(i) {
				continue
			}
			tests := lsptest.TestsUsing(i.Method)
			if d.heading == "From clients" && !known {
				tests = nil // sent by a test of unknown methods
			}
			if d.heading == "To clients" && i.Direction == protocol.DirectionBoth && known {
				tests = nil
			}
			slices.Sort(capabilities)
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", i.Method, i.Kind, code(capabilities), code(tests))
		}
		b.WriteByte('\n')
	}
	b.WriteString(ourOwn + settings())
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// many is the number of tests from which their names are left out.
const many = 6

func code(names []string) string {
	if len(names) >= many {
		return "most"
	}
	var all []string
	for _, n := range names {
		all = append(all, "`"+n+"`")
	}
	return strings.Join(all, " ")
}

// TestEveryMethod checks that every method of the method table has parameters for the fuzz test.
func TestEveryMethod(t *testing.T) {
	templates := requests()
	for method := range lsp.Methods() {
		info := slices.IndexFunc(protocol.Methods, func(i protocol.MethodInfo) bool { return i.Method == method })
		if info < 0 && !strings.HasPrefix(method, "rubric/") {
			t.Errorf("`%s` is not of the protocol", method)
		}
		if _, known := templates[method]; !known && info >= 0 && protocol.Methods[info].Kind == "request" {
			t.Errorf("`%s` is not among those that are sent at random", method)
		}
	}
}
