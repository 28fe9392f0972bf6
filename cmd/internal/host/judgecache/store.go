// Package judgecache stores judges' answers, so that none is paid for twice.
//
// A store is a folder with one file per answer, named by the fingerprint of its question. Questions
// are not stored, answers are in clear text. A file is written whole and then renamed, so several
// processes can use a store at a time, and a process that is killed leaves nothing half written. A
// file that cannot be decoded counts as absent: the judge is asked again, and its answer replaces it.
package judgecache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-ls/rubric/core/judge"
)

// Store is a folder of answers, a [judge.Store]. The first Put creates the folder.
type Store struct {
	Path string
}

// Default returns the store in the user's cache directory.
func Default() (*Store, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return &Store{Path: filepath.Join(folder, "rubric", "judgements")}, nil
}

type storedAnswer struct {
	Text  string      `json:"text"`
	Model string      `json:"model,omitempty"`
	Usage judge.Usage `json:"usage,omitzero"`
}

// file returns the path of the file for a key. Folders named by its first byte keep each folder small.
func (s *Store) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(s.Path, name[:2], name[2:]+suffix)
}

const suffix = ".json"

// Get returns the answer stored under a key.
func (s *Store) Get(key string) (a judge.Answer, found bool, err error) {
	body, err := os.ReadFile(s.file(key))
	if errors.Is(err, fs.ErrNotExist) {
		return a, false, nil
	}
	if err != nil {
		return a, false, s.wrapError(err)
	}
	var stored storedAnswer
	if json.Unmarshal(body, &stored) != nil {
		return a, false, nil
	}
	return judge.Answer{Text: stored.Text, Model: stored.Model, Usage: stored.Usage}, true, nil
}

// Put stores an answer.
func (s *Store) Put(key string, a judge.Answer) error {
	body, err := json.Marshal(storedAnswer{Text: a.Text, Model: a.Model, Usage: a.Usage})
	if err != nil {
		return err
	}
	path := s.file(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return s.wrapError(err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "new-*") // readable by the user only
	if err != nil {
		return s.wrapError(err)
	}
	_, err = temporary.Write(body)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
		return s.wrapError(err)
	}
	return nil
}

// Stats is the size of a store.
type Stats struct {
	Answers int
	Bytes   int64
}

// Stats returns the size of the store.
func (s *Store) Stats() (Stats, error) {
	var stats Stats
	err := filepath.WalkDir(s.Path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != suffix {
			return err
		}
		if info, err := entry.Info(); err == nil { // otherwise it was just removed
			stats.Answers++
			stats.Bytes += info.Size()
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return stats, s.wrapError(err)
	}
	return stats, nil
}

// Clear removes the folder, and the database of earlier versions.
func (s *Store) Clear() error {
	for _, path := range []string{s.Path, s.Path + ".db", s.Path + ".db.damaged"} {
		if err := os.RemoveAll(path); err != nil {
			return s.wrapError(err)
		}
	}
	return nil
}

func (s *Store) wrapError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the judgement cache %s cannot be used: %w", s.Path, err)
}
