//go:build !race

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	evaluator "github.com/rubric-ls/rubric/wasm/api"
	"github.com/rubric-ls/rubric/wasm/artefact"
)

// wholeModule returns the bytes of rubric.wasm, compiled from this source once for all tests.
var wholeModule = buildOnce(artefact.Build)

// smallModule returns the bytes of rubric-small.wasm.
var smallModule = buildOnce(artefact.BuildSmall)

func buildOnce(build func(out string) error) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "rubric-wasm-*")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		out := filepath.Join(dir, "rubric.wasm")
		if err := build(out); err != nil {
			return nil, err
		}
		return os.ReadFile(out)
	})
}

// compiledModule returns rubric.wasm in a runtime, once for all tests.
var compiledModule = sync.OnceValues(func() (program, error) { return compile(wholeModule()) })

// compile compiles a module for a host that traps when the module reads or opens a
// file, so every test checks that it does not.
func compile(wasm []byte, err error) (program, error) {
	if err != nil {
		return program{}, err
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	host := r.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(host)
	i32, i64 := api.ValueTypeI32, api.ValueTypeI64
	for name, params := range map[string][]api.ValueType{
		"fd_read":           {i32, i32, i32, i32},
		"path_filestat_get": {i32, i32, i32, i32, i32},
		"path_open":         {i32, i32, i32, i32, i32, i64, i64, i32, i32},
	} {
		trap := api.GoFunc(func(context.Context, []uint64) { panic("the module called " + name) })
		host.NewFunctionBuilder().WithGoFunction(trap, params, []api.ValueType{i32}).Export(name)
	}
	if _, err := host.Instantiate(ctx); err != nil {
		return program{}, err
	}
	code, err := r.CompileModule(ctx, wasm)
	return program{r, code}, err
}

type program struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

// guest is one instance, called without a host library.
type guest struct {
	t *testing.T
	api.Module
}

func start(t *testing.T) guest {
	t.Helper()
	p, err := compiledModule()
	if err != nil {
		t.Fatal(err)
	}
	return p.start(t)
}

func (p program) start(t *testing.T) guest {
	t.Helper()
	m, err := p.runtime.InstantiateModule(t.Context(), p.code, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(context.Background()) })
	return guest{t, m}
}

func (g guest) call(name string, args ...uint64) uint64 {
	g.t.Helper()
	got, err := g.ExportedFunction(name).Call(g.t.Context(), args...)
	if err != nil {
		g.t.Fatalf("%s(%v): %v", name, args, err)
	}
	if len(got) == 0 {
		return 0
	}
	return got[0]
}

// put copies a request into a buffer of the module.
func (g guest) put(request string) (p uint64) {
	g.t.Helper()
	p = g.call("alloc", uint64(len(request)))
	if p == 0 || !g.Memory().WriteString(uint32(p), request) {
		g.t.Fatalf("no buffer for %d bytes", len(request))
	}
	return p
}

// text returns the bytes that a packed result points at.
func (g guest) text(packed uint64) string {
	g.t.Helper()
	body, ok := g.Memory().Read(uint32(packed>>32), uint32(packed))
	if packed == 0 || !ok {
		g.t.Fatalf("no text at %x", packed)
	}
	return string(body)
}

// ask calls a method and returns the response.
func (g guest) ask(method string, params map[string]any) string {
	g.t.Helper()
	request, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
	if err != nil {
		g.t.Fatal(err)
	}
	q := g.put(string(request))
	r := g.call("call", q, uint64(len(request)))
	defer g.call("free", q)
	defer g.call("free", r>>32)
	return g.text(r)
}

const version = `{"id":1,"method":"version"}`

func TestABI(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	g := start(t)
	if got := g.call("abi_version"); got != evaluator.ABI {
		t.Errorf("version %d", got)
	}
	p := g.put(version)
	if got, want := g.text(g.call("call", p, uint64(len(version)))), string(evaluator.Call([]byte(version))); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := g.text(g.call("call", p, uint64(len(version))-1)); !strings.Contains(got, `"code":"bad-request"`) {
		t.Errorf("the beginning of a request was answered with %s", got)
	}
}

// TestOwnership checks that a buffer belongs to the host until it frees it, and is unknown
// afterwards. Neither calls nor the collector may change it.
func TestOwnership(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	g := start(t)
	request := `{"id":1,"method":"suite","params":{"text":"evalcases: [{id: kept, expected_outcome: o, input: q}]"}}`
	p := g.put(request)
	first := g.call("call", p, uint64(len(request)))
	want := g.text(first)
	other := `{"id":2,"method":"check","params":{"text":"` + strings.Repeat("- x\\n", 20_000) + `"}}`
	for range 20 { // enough for several garbage collections
		q := g.put(other)
		r := g.call("call", q, uint64(len(other)))
		g.call("free", q)
		g.call("free", r>>32)
	}
	if got := g.text(first); got != want {
		t.Errorf("the first response became %.300s", got)
	}
	if again := g.text(g.call("call", p, uint64(len(request)))); again != want {
		t.Errorf("the same request was answered with %.300s", again)
	}
	g.call("free", p)
	if got := g.call("call", p, uint64(len(request))); got != 0 {
		t.Errorf("a request that was freed was answered with %s", g.text(got))
	}
	if got := g.text(first); got != want {
		t.Error("freeing a request freed its response")
	}
}

// TestMisuse checks that misuse by a host has a defined outcome and no consequences.
func TestMisuse(t *testing.T) {
	g := start(t)
	for _, n := range []uint64{1<<27 + 1, 1 << 31, 1<<32 - 1} {
		if p := g.call("alloc", n); p != 0 {
			t.Errorf("a buffer of %d bytes at %x", n, p)
		}
	}
	p := g.put(version)
	for _, c := range [][2]uint64{{0, 0}, {0, 10}, {p + 1, 1}, {p, uint64(len(version)) + 1}, {p, 1<<32 - 1}, {1<<32 - 1, 1}} {
		if got := g.call("call", c[0], c[1]); got != 0 {
			t.Errorf("call%v gave %s", c, g.text(got))
		}
	}
	for _, address := range []uint64{0, p + 1, 1<<32 - 1} {
		g.call("free", address)
	}
	a, b := g.call("alloc", 0), g.call("alloc", 0)
	if a == 0 || b == 0 || !strings.Contains(g.text(g.call("call", a, 0)), "bad-request") {
		t.Errorf("empty buffers at %x and %x", a, b)
	}
	g.call("free", p)
	g.call("free", p)
	p = g.put(version)
	if got := g.text(g.call("call", p, uint64(len(version)))); !strings.Contains(got, `"result"`) {
		t.Errorf("after all that: %s", got)
	}
}

// TestFlat checks that ten thousand calls on one instance take no more memory than a thousand,
// apart from one step of the Go heap.
func TestFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	g := start(t)
	ask := func(request, want string) {
		p := g.put(request)
		r := g.call("call", p, uint64(len(request)))
		if got := g.text(r); !strings.Contains(got, want) {
			t.Fatalf("%s: %s", request, got)
		}
		g.call("free", p)
		g.call("free", r>>32)
	}
	ask(`{"method":"open","params":{"document":"x","text":"evalcases: [{wieght: 1}]"}}`, "true")
	var early uint32
	for n := range 2_500 {
		ask(`{"method":"check","params":{"text":"evalcases: [{wieght: 1}]"}}`, "unknown-key")
		ask(fmt.Sprintf(`{"method":"edit","params":{"document":"x","changes":[{"range":{"start":{"line":0,"character":21},"end":{"line":0,"character":22}},"text":"%d"}]}}`, n%10), "true")
		ask(`{"method":"diagnose","params":{"document":"x"}}`, "unknown-key")
		ask(`{"method":"hover","params":{"document":"x","position":{"line":0,"character":3}}}`, "evalcases")
		if n == 250 {
			early = g.Memory().Size()
		}
	}
	if size := g.Memory().Size(); size > early+4<<20 {
		t.Errorf("%d bytes after 10,000 calls, %d after 1,000", size, early)
	}
}

// TestImports checks that the module imports only what Go's runtime and the packages os and net
// name, which are files and sockets; compile shows that the module does not use them.
func TestImports(t *testing.T) {
	p, err := compiledModule()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields("args_get args_sizes_get clock_time_get environ_get environ_sizes_get fd_close fd_fdstat_get " +
		"fd_fdstat_set_flags fd_filestat_get fd_filestat_set_size fd_pread fd_prestat_dir_name fd_prestat_get fd_pwrite fd_read fd_readdir " +
		"fd_seek fd_sync fd_write path_filestat_get path_open poll_oneoff proc_exit random_get sched_yield sock_accept sock_shutdown")
	for _, f := range p.code.ImportedFunctions() {
		if from, name, _ := f.Import(); from != wasi_snapshot_preview1.ModuleName || !slices.Contains(known, name) {
			t.Errorf("%s of %s", name, from)
		}
	}
}
