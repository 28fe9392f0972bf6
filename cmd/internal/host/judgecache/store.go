// Package judgecache stores judges' answers, so that none is paid for twice.
//
// The file is a bbolt database: one file, with transactions that survive kill -9. bbolt has no
// dependencies. Only one process can have the file open, so it is open only while something is
// read or written, and a moment longer. Other processes wait for their turn. Questions are stored
// as fingerprints, answers in clear text.
package judgecache

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rubric-ls/rubric/core/judge"
)

// lockTimeout is how long to wait for other processes. idleTimeout is how long the file stays
// open after its last use: opening it takes as long as a hundred reads.
const (
	lockTimeout = 10 * time.Second
	idleTimeout = 20 * time.Millisecond
)

var bucket = []byte("judgements, version 1")

// Store is a file of answers, a [judge.Store]. The first Put creates the file.
type Store struct {
	Path string

	mu      sync.Mutex
	checked bool         // the file was not damaged when it was first opened
	db      *database    // nil while the file is closed
	pending []pendingPut // not written yet
	writing bool
}

type pendingPut struct {
	key   string
	value []byte
	done  chan error
}

// Default returns the store in the user's cache directory.
func Default() (*Store, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return &Store{Path: filepath.Join(folder, "rubric", "judgements.db")}, nil
}

type storedAnswer struct {
	Text  string      `json:"text"`
	Model string      `json:"model,omitempty"`
	Usage judge.Usage `json:"usage,omitzero"`
}

// Get returns the answer stored under a key.
func (s *Store) Get(key string) (a judge.Answer, found bool, err error) {
	err = s.withBucket(func(b *bbolt.Bucket) error {
		value := b.Get([]byte(key))
		if value == nil {
			return nil
		}
		var k storedAnswer
		if json.Unmarshal(value, &k) == nil { // otherwise the judge is asked again and its answer replaces this one
			a, found = judge.Answer{Text: k.Text, Model: k.Model, Usage: k.Usage}, true
		}
		return nil
	})
	return a, found, err
}

// Put stores an answer; it is on disk when Put returns. Answers that arrive during a write are
// written together afterwards.
func (s *Store) Put(key string, a judge.Answer) error {
	value, err := json.Marshal(storedAnswer{Text: a.Text, Model: a.Model, Usage: a.Usage})
	if err != nil {
		return err
	}
	p := pendingPut{key, value, make(chan error, 1)}
	s.mu.Lock()
	s.pending = append(s.pending, p)
	if !s.writing {
		s.writing = true
		go s.writePending()
	}
	s.mu.Unlock()
	return <-p.done
}

func (s *Store) writePending() {
	for {
		s.mu.Lock()
		all := s.pending
		s.pending, s.writing = nil, len(all) > 0
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

func (s *Store) writeAll(all []pendingPut) error {
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return s.wrapError(err)
	}
	return s.withDatabase(func(db *bbolt.DB) error {
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

// Stats is the size of a store.
type Stats struct {
	Answers int
	Bytes   int64 // of the file
}

// Stats returns the size of the store.
func (s *Store) Stats() (Stats, error) {
	var stats Stats
	err := s.withBucket(func(b *bbolt.Bucket) error {
		stats.Answers = b.Stats().KeyN
		return nil
	})
	if info, statErr := os.Stat(s.Path); statErr == nil {
		stats.Bytes = info.Size()
	}
	return stats, err
}

// Clear removes the file, and a damaged one that was moved away.
func (s *Store) Clear() error {
	s.mu.Lock()
	if s.db != nil && s.db.users == 0 {
		s.close()
	}
	s.mu.Unlock()
	for _, path := range []string{s.Path, s.Path + damagedSuffix} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.wrapError(err)
		}
	}
	return nil
}

// withBucket calls use with the stored answers; it does nothing if there are none.
func (s *Store) withBucket(use func(*bbolt.Bucket) error) error {
	if _, err := os.Stat(s.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.withDatabase(func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			if b := tx.Bucket(bucket); b != nil {
				return use(b)
			}
			return nil
		})
	})
}

// withDatabase calls use with the open database. The database stays open while this process uses
// it, and for a moment after. A damaged file is moved away. Damage shows as a memory fault, if
// the file is shorter than its mapping, or as a panic of bbolt.
func (s *Store) withDatabase(use func(*bbolt.DB) error) (err error) {
	var db *database
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = s.moveDamaged(db, fmt.Errorf("%v", p))
		}
	}()
	matches := func(target error) bool { return errors.Is(err, target) }
	if db, err = s.acquire(); err != nil {
		if slices.ContainsFunc([]error{errDamaged, bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch, bolterrors.ErrChecksum}, matches) {
			return s.moveDamaged(nil, err)
		}
		return s.wrapError(err)
	}
	defer s.release(db)
	if err = use(db.DB); err == nil {
		return nil
	}
	if slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS}, matches) { // the disk is at fault, not the file
		return s.wrapError(err)
	}
	return s.moveDamaged(db, err)
}

type database struct {
	*bbolt.DB
	users      int
	closeTimer *time.Timer // closes the file; nil while it is in use
}

func (s *Store) acquire() (*database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		db, err := s.open()
		if errors.Is(err, bolterrors.ErrTimeout) {
			err = errors.New("another process is using it")
		}
		if err != nil {
			return nil, err
		}
		s.db = &database{DB: db}
	}
	if s.db.closeTimer != nil {
		s.db.closeTimer.Stop()
		s.db.closeTimer = nil
	}
	s.db.users++
	return s.db, nil
}

// open opens the file, and checks it the first time. The caller holds s.mu.
func (s *Store) open() (*bbolt.DB, error) {
	if !s.checked {
		if err := checkFile(s.Path); err != nil {
			return nil, err
		}
		s.checked = true
	}
	return bbolt.Open(s.Path, 0o600, &bbolt.Options{Timeout: lockTimeout, OpenFile: openDatabaseFile})
}

func (s *Store) release(db *database) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if db.users--; db.users > 0 || s.db != db {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(idleTimeout, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.db == db && db.closeTimer == timer { // not used meanwhile
			s.close()
		}
	})
	db.closeTimer = timer
}

// close closes the file for other processes. The caller holds s.mu.
func (s *Store) close() {
	if s.db != nil {
		s.db.Close()
	}
	s.db = nil
}

// moveDamaged renames a damaged file, so that the next use starts an empty one. It does not close
// db: bbolt would read the damaged pages again, or wait for a lock that the panic left held.
func (s *Store) moveDamaged(db *database, damage error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == db {
		s.db = nil
		if err := os.Rename(s.Path, s.Path+damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.wrapError(fmt.Errorf("it is damaged (%w) and cannot be moved: %w", damage, err))
		}
	}
	return fmt.Errorf("the judgement cache %s was damaged; it was moved to %s and a new one was started", s.Path, filepath.Base(s.Path)+damagedSuffix)
}

const damagedSuffix = ".damaged"

func (s *Store) wrapError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the judgement cache %s cannot be used: %w", s.Path, err)
}
