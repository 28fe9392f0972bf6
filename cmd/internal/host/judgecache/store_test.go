package judgecache_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/core/judge"
)

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "j.db")
	s := &judgecache.Store{Path: path}
	if _, found, err := s.Get("a"); found || err != nil {
		t.Errorf("from nothing: %v, %v", found, err)
	}
	if stats, err := s.Stats(); err != nil || stats != (judgecache.Stats{}) {
		t.Errorf("of nothing: %+v, %v", stats, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("looking made a file")
	}
	want := judge.Answer{Text: "yes", Model: "m", Usage: judge.Usage{Input: 3, Output: 4}}
	for _, a := range []judge.Answer{{Text: "no"}, want} {
		if err := s.Put("a", a); err != nil {
			t.Fatal(err)
		}
	}
	if a, found, err := (&judgecache.Store{Path: path}).Get("a"); a != want || !found || err != nil {
		t.Errorf("%+v, %v, %v", a, found, err)
	}
	if _, found, err := s.Get("b"); found || err != nil {
		t.Errorf("another: %v, %v", found, err)
	}
	if stats, err := s.Stats(); err != nil || stats.Answers != 1 || stats.Bytes == 0 {
		t.Errorf("%+v, %v", stats, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	for range 2 {
		if err := s.Clear(); err != nil {
			t.Error(err)
		}
	}
	if _, found, err := s.Get("a"); found || err != nil {
		t.Errorf("after clearing: %v, %v", found, err)
	}
}

// TestTogether: concurrent stores, like several processes, lose nothing.
func TestTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.db")
	const stores, each = 3, 20
	var wg sync.WaitGroup
	for n := range stores {
		s := &judgecache.Store{Path: path}
		for i := range each {
			wg.Go(func() {
				key := fmt.Sprint(n, " ", i)
				if err := s.Put(key, judge.Answer{Text: key}); err != nil {
					t.Error(err)
				}
				if a, found, err := s.Get(key); a.Text != key || !found || err != nil {
					t.Errorf("%+v, %v, %v", a, found, err)
				}
			})
		}
	}
	wg.Wait()
	if stats, err := (&judgecache.Store{Path: path}).Stats(); err != nil || stats.Answers != stores*each {
		t.Errorf("%+v, %v", stats, err)
	}
}

// filled makes a database with some answers, and returns its path and its bytes.
func filled(t *testing.T) (path string, body []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "j.db")
	s := &judgecache.Store{Path: path}
	for i := range 200 { // in order, so that each test damages the same file
		if err := s.Put(fmt.Sprint("key ", i), judge.Answer{Text: strings.Repeat("because ", 20)}); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, body
}

// survives uses a store whose file is damaged in some way. At most the first use of it
// that finds the damage fails, and it says that the file was set aside.
func survives(t *testing.T, name, path string, body []byte) (damaged bool) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &judgecache.Store{Path: path}
	faults := 0
	for i := range 6 {
		_, _, get := s.Get("key 7")
		_, stats := s.Stats()
		put := s.Put(fmt.Sprint("new ", i), judge.Answer{Text: "yes"})
		for _, err := range []error{get, stats, put} {
			if err != nil {
				faults++
				if want := "the judgement cache " + path + " was damaged; it was moved to j.db.damaged and a new one was started"; err.Error() != want {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if faults > 1 {
		t.Errorf("%s: the damage is reported %d times", name, faults)
	}
	if _, err := os.Stat(path + ".damaged"); (err == nil) != (faults > 0) {
		t.Errorf("%s: set aside: %v, faults %d", name, err, faults)
	}
	if a, found, err := s.Get("new 5"); a.Text != "yes" || !found || err != nil {
		t.Errorf("%s, then: %v, %v, %v", name, a, found, err)
	}
	if err := s.Clear(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for _, left := range []string{path, path + ".damaged"} {
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s: %s is left", name, left)
		}
	}
	return faults > 0
}

// TestDamaged: a damaged file is moved away, whatever is wrong with it, and replaced by an empty
// one.
func TestDamaged(t *testing.T) {
	path, whole := filled(t)
	page := os.Getpagesize()
	for name, body := range map[string]string{
		"text": strings.Repeat("not a database\n", 2000), "short": "x",
		"wrong pages": string(whole[:2*page]) + strings.Repeat("\xff", len(whole)-2*page),
	} {
		if !survives(t, name, path, []byte(body)) {
			t.Errorf("%s: no damage is found", name)
		}
	}
	folder := &judgecache.Store{Path: t.TempDir()}
	if _, _, err := folder.Get("a"); err == nil {
		t.Error("a folder is taken for a cache")
	}
}

// TestCutShort: a file that ends before its last page is damaged, wherever it ends.
func TestCutShort(t *testing.T) {
	path, whole := filled(t)
	if survives(t, "whole", path, whole) {
		t.Error("the whole file is taken for damaged")
	}
	page := os.Getpagesize()
	cut := 0
	for size := page; size < len(whole); size += page {
		for _, size := range []int{size, size - 1, size + page/3} {
			if survives(t, fmt.Sprint(size, " bytes"), path, whole[:size]) {
				cut++
			}
		}
	}
	if cut < 3 {
		t.Errorf("%d of the lengths are found to be too short", cut)
	}
}

// TestDamagedPages: damage that would make bbolt use all memory or the whole stack is found before.
func TestDamagedPages(t *testing.T) {
	path, whole := filled(t)
	ne, size := binary.NativeEndian, os.Getpagesize()
	const branch, leaf, free = 1, 2, 16
	for name, damage := range map[string]struct {
		kind   uint16
		change func(page []byte)
	}{
		"a branch that leads to itself": {branch, func(page []byte) { ne.PutUint64(page[24:], ne.Uint64(page)) }},
		"a branch that leads beyond":    {branch, func(page []byte) { ne.PutUint64(page[24:], 1<<40) }},
		"two keys for one page":         {branch, func(page []byte) { ne.PutUint64(page[24:], ne.Uint64(page[40:])) }},
		"a key of 4 GB":                 {branch, func(page []byte) { ne.PutUint32(page[20:], 1<<32-1) }},
		"an answer of 4 GB":             {leaf, func(page []byte) { ne.PutUint32(page[28:], 1<<32-1) }},
		"a page that goes on":           {leaf, func(page []byte) { ne.PutUint32(page[12:], 1<<32-1) }},
		"a page of another kind":        {leaf, func(page []byte) { ne.PutUint16(page[8:], free) }},
		"a list of 2^60 free pages":     {free, func(page []byte) { ne.PutUint16(page[10:], 0xFFFF); ne.PutUint64(page[16:], 1<<60) }},
		"a free page that is in use":    {free, func(page []byte) { ne.PutUint16(page[10:], 1); ne.PutUint64(page[16:], ne.Uint64(page)) }},
	} {
		body, pages := slices.Clone(whole), 0
		for at := 2 * size; at < len(body); at += size { // also pages that are no longer in use
			if page := body[at : at+size]; ne.Uint16(page[8:]) == damage.kind && ne.Uint16(page[10:]) > 1 {
				damage.change(page)
				pages++
			}
		}
		if pages == 0 || !survives(t, name, path, body) {
			t.Errorf("%s: no damage is found in %d pages", name, pages)
		}
	}
}

// TestDamagedAnywhere checks that no damage ends the process or takes a store out of use.
func TestDamagedAnywhere(t *testing.T) {
	path, whole := filled(t)
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for i := range 60 {
		body := slices.Clone(whole)
		for range 1 + random.IntN(40) {
			at := random.IntN(len(body) - 64)
			if i%2 == 0 {
				at = random.IntN(len(body)/os.Getpagesize())*os.Getpagesize() + random.IntN(64) // the header of a page
			}
			binary.LittleEndian.PutUint64(body[at:], random.Uint64()>>random.IntN(64))
		}
		if survives(t, fmt.Sprint("damage ", i), path, body) {
			found++
		}
	}
	if found < 10 {
		t.Errorf("%d of 60 are found", found)
	}
}
