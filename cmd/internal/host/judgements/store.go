package judgements

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rubric-ls/rubric/core/judge"
)

// turn is how long to wait for other processes, and hold for how long they are kept
// out after the last use: to open the file takes as long as to read it a hundred
// times.
const (
	turn = 10 * time.Second
	hold = 20 * time.Millisecond
)

var bucket = []byte("judgements, version 1")

// Store is a file of answers, a [judge.Store]. It is made when something is put.
type Store struct {
	Path string

	mu      sync.Mutex
	db      *bbolt.DB // nil if nobody has used it for a while
	users   int
	leaving *time.Timer // closes it; nil while somebody uses it
	waiting []put       // to be written
	writing bool
}

// put is an answer that somebody wants to have on disk.
type put struct {
	key   string
	value []byte
	done  chan error
}

// Usual is the store of the person who runs the program.
func Usual() (*Store, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return &Store{Path: filepath.Join(folder, "rubric", "judgements.db")}, nil
}

// kept is an answer as it is written.
type kept struct {
	Text  string      `json:"text"`
	Model string      `json:"model,omitempty"`
	Usage judge.Usage `json:"usage,omitzero"`
}

// Get finds an answer.
func (s *Store) Get(key string) (a judge.Answer, found bool, err error) {
	err = s.read(func(b *bbolt.Bucket) error {
		value := b.Get([]byte(key))
		if value == nil {
			return nil
		}
		var k kept
		if err := json.Unmarshal(value, &k); err != nil {
			return err
		}
		a, found = judge.Answer{Text: k.Text, Model: k.Model, Usage: k.Usage}, true
		return nil
	})
	return a, found, err
}

// Put keeps an answer; it is on disk when Put returns. What comes while others are
// written is written after them in one go.
func (s *Store) Put(key string, a judge.Answer) error {
	value, err := json.Marshal(kept{Text: a.Text, Model: a.Model, Usage: a.Usage})
	if err != nil {
		return err
	}
	p := put{key, value, make(chan error, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, p)
	if !s.writing {
		s.writing = true
		go s.write()
	}
	s.mu.Unlock()
	return <-p.done
}

// write writes until nothing is waiting.
func (s *Store) write() {
	for {
		s.mu.Lock()
		all := s.waiting
		s.waiting, s.writing = nil, len(all) > 0
		s.mu.Unlock()
		if len(all) == 0 {
			return
		}
		err := s.writeAll(all)
		for _, p := range all {
			p.done <- err
		}
	}
}

func (s *Store) writeAll(all []put) error {
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return s.fault(err)
	}
	return s.open(func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(bucket)
			for _, p := range all {
				if err == nil {
					err = b.Put([]byte(p.key), p.value)
				}
			}
			return err
		})
	})
}

// Stats is how much is kept.
type Stats struct {
	Answers int
	Bytes   int64 // of the file
}

// Stats counts what is kept.
func (s *Store) Stats() (Stats, error) {
	var stats Stats
	err := s.read(func(b *bbolt.Bucket) error {
		stats.Answers = b.Stats().KeyN
		return nil
	})
	if info, bad := os.Stat(s.Path); bad == nil {
		stats.Bytes = info.Size()
	}
	return stats, err
}

// Clear forgets everything: the file is taken away, whatever is in it.
func (s *Store) Clear() error {
	s.mu.Lock()
	if s.users == 0 {
		s.close()
	}
	s.mu.Unlock()
	if err := os.Remove(s.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.fault(err)
	}
	return nil
}

// read does something with what is kept, and nothing if that is nothing.
func (s *Store) read(do func(*bbolt.Bucket) error) error {
	if _, err := os.Stat(s.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.open(func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			if b := tx.Bucket(bucket); b != nil {
				return do(b)
			}
			return nil
		})
	})
}

// open does something with the database, which is open as long as anyone in this
// process does, and a moment longer. A damaged one may make bbolt panic.
func (s *Store) open(do func(*bbolt.DB) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.fault(fmt.Errorf("it is damaged: %v", p))
		}
	}()
	db, err := s.enter()
	if err != nil {
		return s.fault(err)
	}
	defer s.leave()
	if err := do(db); err != nil {
		return s.fault(err)
	}
	return nil
}

func (s *Store) enter() (*bbolt.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving != nil {
		s.leaving.Stop()
		s.leaving = nil
	}
	if s.db == nil {
		db, err := bbolt.Open(s.Path, 0o600, &bbolt.Options{Timeout: turn})
		if errors.Is(err, bolterrors.ErrTimeout) {
			err = errors.New("another process has not let go of it")
		}
		if err != nil {
			return nil, err
		}
		s.db = db
	}
	s.users++
	return s.db, nil
}

func (s *Store) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(hold, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.leaving == timer { // and nobody has come meanwhile
			s.close()
		}
	})
	s.leaving = timer
}

// close lets others have the file. Whoever calls it holds the lock.
func (s *Store) close() {
	if s.db != nil {
		s.db.Close()
	}
	s.db, s.leaving = nil, nil
}

func (s *Store) fault(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	for _, damaged := range []error{bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch, bolterrors.ErrChecksum} {
		if errors.Is(err, damaged) {
			return fmt.Errorf("the cache %s: %w; `rubric cache clear` begins a new one", s.Path, err)
		}
	}
	return fmt.Errorf("the cache %s: %w", s.Path, err)
}
