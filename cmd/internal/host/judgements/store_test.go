package judgements_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgements"
	"github.com/rubric-ls/rubric/core/judge"
)

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "j.db")
	s := &judgements.Store{Path: path}
	if _, found, err := s.Get("a"); found || err != nil {
		t.Errorf("from nothing: %v, %v", found, err)
	}
	if stats, err := s.Stats(); err != nil || stats != (judgements.Stats{}) {
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
	if a, found, err := (&judgements.Store{Path: path}).Get("a"); a != want || !found || err != nil {
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

// TestTogether: several at once, as several processes are to each other, lose
// nothing.
func TestTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.db")
	const stores, each = 3, 20
	var wg sync.WaitGroup
	for n := range stores {
		s := &judgements.Store{Path: path}
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
	if stats, err := (&judgements.Store{Path: path}).Stats(); err != nil || stats.Answers != stores*each {
		t.Errorf("%+v, %v", stats, err)
	}
}

// TestDamaged: what is no store is said to be none, and can be cleared.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.db")
	good := &judgements.Store{Path: path}
	if err := good.Put("a", judge.Answer{Text: "yes"}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"text": strings.Repeat("not a database\n", 2000), "short": "x",
		"wrong pages": string(whole[:2*os.Getpagesize()]) + strings.Repeat("\xff", len(whole)-2*os.Getpagesize()),
	} {
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		s := &judgements.Store{Path: path}
		if _, found, err := s.Get("a"); err == nil || found || !strings.HasPrefix(err.Error(), "the cache "+path+": ") || name == "text" && !strings.Contains(err.Error(), "`rubric cache clear`") {
			t.Errorf("%s: %v, %v", name, found, err)
		}
		if err := s.Clear(); err != nil {
			t.Error(err)
		}
		if err := s.Put("a", judge.Answer{}); err != nil {
			t.Errorf("%s, cleared: %v", name, err)
		}
	}
	folder := &judgements.Store{Path: t.TempDir()}
	if _, _, err := folder.Get("a"); err == nil {
		t.Error("a folder is no store")
	}
}
