// Package judgecache stores judges' answers, so that none is paid for twice.
//
// A store is a folder of sixteen files to which answers are appended, one JSON value a line. The
// fingerprint of its question chooses the file; questions are not stored, answers are in clear text.
// A file each would be plainer, but creating a file takes a third of a millisecond on some machines:
// longer than everything else that a case needs. Several processes can use a store at a time. A line
// that a crash cut short counts as absent: the judge is asked again.
//
// While a process asks a question, it locks the question's file in the folder locks. The system ends
// the lock of a process that dies, so that none is ever stale.
package judgecache

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/judge"
)

// Store is a folder of answers, a [judge.Store]. The first Put creates the folder.
type Store struct {
	Path  string
	files [16]file
}

// file indexes the lines of one file. The index grows when a Get finds the file longer than before.
type file struct {
	mu    sync.Mutex
	size  int64           // the bytes indexed
	lines map[string]line // by fingerprint, the last one if several
}

type line struct {
	offset int64
	length int
}

// Default returns the store in the user's cache directory.
func Default() (*Store, error) {
	folder, err := os.UserCacheDir()
	return &Store{Path: filepath.Join(folder, "rubric", "judgements")}, err
}

type storedAnswer struct {
	Question string      `json:"question"` // the fingerprint; first, see fingerprintOf
	Text     string      `json:"text"`
	Model    string      `json:"model,omitempty"`
	Usage    judge.Usage `json:"usage,omitzero"`
}

// fingerprintOf returns the fingerprint that a line begins with, or "".
func fingerprintOf(line string) string {
	rest, found := strings.CutPrefix(line, `{"question":"`)
	if fingerprint, _, closed := strings.Cut(rest, `"`); found && closed {
		return fingerprint
	}
	return ""
}

// fileOf returns the fingerprint of a key, and its file with the path.
func (s *Store) fileOf(key string) (fingerprint string, f *file, path string) {
	fingerprint = Fingerprint(key)
	number, _ := strconv.ParseUint(fingerprint[:1], 16, 8) // a hexadecimal digit
	return fingerprint, &s.files[number], filepath.Join(s.Path, fingerprint[:1]+".jsonl")
}

// Get returns the answer stored under a key.
func (s *Store) Get(key string) (a judge.Answer, found bool, err error) {
	fingerprint, f, path := s.fileOf(key)
	f.mu.Lock()
	defer f.mu.Unlock()
	opened, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return a, false, nil
	}
	if err != nil {
		return a, false, s.wrapError(err)
	}
	defer opened.Close()
	if err := f.index(opened); err != nil {
		return a, false, s.wrapError(err)
	}
	text := make([]byte, f.lines[fingerprint].length)
	if _, err := opened.ReadAt(text, f.lines[fingerprint].offset); err != nil {
		return a, false, s.wrapError(err)
	}
	var stored storedAnswer
	if json.Unmarshal(text, &stored) != nil || stored.Question != fingerprint {
		return a, false, nil
	}
	return judge.Answer{Text: stored.Text, Model: stored.Model, Usage: stored.Usage}, true, nil
}

// index adds the lines that were appended since the last call. It starts over if the file is shorter
// now, as after `rubric cache clear`.
func (f *file) index(opened *os.File) error {
	info, err := opened.Stat()
	if err != nil || info.Size() == f.size {
		return err
	}
	if f.lines == nil || info.Size() < f.size {
		f.size, f.lines = 0, map[string]line{}
	}
	added := bufio.NewReader(io.NewSectionReader(opened, f.size, info.Size()-f.size))
	for {
		text, err := added.ReadString('\n')
		if errors.Is(err, io.EOF) { // nothing, or a line that is being written
			return nil
		}
		if err != nil {
			return err
		}
		if fingerprint := fingerprintOf(text); fingerprint != "" {
			f.lines[fingerprint] = line{offset: f.size, length: len(text)}
		}
		f.size += int64(len(text))
	}
}

// Put stores an answer.
func (s *Store) Put(key string, a judge.Answer) error {
	fingerprint, f, path := s.fileOf(key)
	body, err := json.Marshal(storedAnswer{Question: fingerprint, Text: a.Text, Model: a.Model, Usage: a.Usage})
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.wrapError(disk.AppendPrivate(path, fmt.Appendf(nil, "\n%s\n", body))) // the first newline ends a line that a crash cut short
}

// LeaseLimit is how long a process waits for the answer of another. After that it asks too, since a stopped
// process would hold it up for ever.
const LeaseLimit = 10 * time.Minute

// Lease implements [judge.Leaser]. Questions share 4,096 files, which need not be removed; that two which are
// asked at once have the same file is rare, and costs one of them a wait.
func (s *Store) Lease(ctx context.Context, key string) (release func(), err error) {
	folder := filepath.Join(s.Path, "locks")
	lock := flock.New(filepath.Join(folder, Fingerprint(key)[:3]), flock.SetPermissions(0o600))
	if err = os.MkdirAll(folder, 0o700); err == nil {
		limited, cancel := context.WithTimeout(ctx, LeaseLimit)
		defer cancel()
		_, err = lock.TryLockContext(limited, 10*time.Millisecond)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return func() { _ = lock.Close() }, s.wrapError(err) // which does nothing without the lock
}

// Stats counts the answers and the bytes of a store.
func (s *Store) Stats() (answers int, size int64, err error) {
	paths, err := filepath.Glob(filepath.Join(s.Path, "?.jsonl"))
	for _, path := range paths {
		var f file
		opened, openErr := os.Open(path)
		if openErr == nil {
			openErr = errors.Join(f.index(opened), opened.Close())
		}
		if openErr != nil && !errors.Is(openErr, fs.ErrNotExist) {
			return answers, size, s.wrapError(openErr)
		}
		answers += len(f.lines)
		size += f.size
	}
	return answers, size, err
}

// Clear removes the folder.
func (s *Store) Clear() error { return s.wrapError(os.RemoveAll(s.Path)) }

func (s *Store) wrapError(err error) error {
	if err == nil {
		return nil
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("the judgement cache %s cannot be used: %w", s.Path, err)
}

// Fingerprint returns the name of an answer in a store. A key is the judge's identity and the fingerprint of a question;
// the name contains neither.
func Fingerprint(key string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(key)))
}

// An entry is an answer in a store that several machines share.
type entry struct {
	Text   string      `json:"text"`
	Model  string      `json:"model,omitempty"`
	Usage  judge.Usage `json:"usage,omitzero"`
	SHA256 string      `json:"sha256"` // of what it is, by which a changed entry is found
}

func (e entry) sum(name string) string { return Fingerprint(name + "\x00" + e.Text + "\x00" + e.Model) }

// EncodeEntry returns an answer as a shared store holds it under a name.
func EncodeEntry(name string, a judge.Answer) ([]byte, error) {
	e := entry{Text: a.Text, Model: a.Model, Usage: a.Usage}
	e.SHA256 = e.sum(name)
	return json.Marshal(e)
}

// DecodeEntry returns the answer that a shared store holds under a name. A damaged one counts as absent: it is asked for
// again, and replaced.
func DecodeEntry(name string, body []byte) (a judge.Answer, found bool) {
	var e entry
	if json.Unmarshal(body, &e) != nil || e.SHA256 != e.sum(name) {
		return a, false
	}
	return judge.Answer{Text: e.Text, Model: e.Model, Usage: e.Usage}, true
}
