package judgecache_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/core/judge"
)

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "j")
	s := &judgecache.Store{Path: path}
	if _, found, err := s.Get("a"); found || err != nil {
		t.Errorf("from nothing: %v, %v", found, err)
	}
	if answers, size, err := s.Stats(); err != nil || answers != 0 || size != 0 {
		t.Errorf("of nothing: %d, %d, %v", answers, size, err)
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
	if answers, size, err := s.Stats(); err != nil || answers != 1 || size == 0 {
		t.Errorf("%d, %d, %v", answers, size, err)
	}
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if info, _ := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
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
	path := filepath.Join(t.TempDir(), "j")
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
	if answers, _, err := (&judgecache.Store{Path: path}).Stats(); err != nil || answers != stores*each {
		t.Errorf("%d, %v", answers, err)
	}
}

// TestDamaged checks that a damaged answer counts as absent, and that the next one replaces it.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	s := &judgecache.Store{Path: path}
	for _, key := range []string{"a", "b"} {
		if err := s.Put(key, judge.Answer{Text: key}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(path, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		half := string(whole[:len(whole)/2])
		for _, damage := range []string{"", half + "\n", half + half + "\n", "[]\n", "\x00\xff\n", half} {
			if err := os.WriteFile(file, []byte(damage), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"a", "b"} {
				_, found, err := (&judgecache.Store{Path: path}).Get(key)
				if _, inUse, inUseErr := s.Get(key); found != inUse || err != nil || inUseErr != nil {
					t.Errorf("%q of %q: %v, %v, %v, %v", key, damage, found, err, inUse, inUseErr)
				}
			}
		}
	}
	if _, found, err := s.Get("a"); found || err != nil {
		t.Errorf("after the damage: %v, %v", found, err)
	}
	if err := s.Put("a", judge.Answer{Text: "again"}); err != nil {
		t.Fatal(err)
	}
	if a, found, err := s.Get("a"); a.Text != "again" || !found || err != nil {
		t.Errorf("%+v, %v, %v", a, found, err)
	}
}

// TestNoFolder checks the error for a path that cannot be a folder.
func TestNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := (&judgecache.Store{Path: path}).Put("a", judge.Answer{Text: "yes"})
	if want := "the judgement cache " + path + " cannot be used: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// TestLeaseEnds: a wait for a lease ends with its context.
func TestLeaseEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	release, err := (&judgecache.Store{Path: path}).Lease(t.Context(), "question")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&judgecache.Store{Path: path}).Lease(ctx, "question"); err == nil {
		t.Error("two hold a lease")
	}
	release()
	release, err = (&judgecache.Store{Path: path}).Lease(t.Context(), "question")
	if err != nil {
		t.Error(err)
	}
	release()
}
