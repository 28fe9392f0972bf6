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

// lockTimeout is how long to wait for other processes, and hold for how long they are kept
// out after the last use: to open the file takes as long as to read it a hundred
// times.
const (
	lockTimeout = 10 * time.Second
	idleTimeout = 20 * time.Millisecond
)

var bucket = []byte("judgements, version 1")

// Store is a file of answers, a [judge.Store]. It is made when something is put.
type Store struct {
	Path string

	mu      sync.Mutex
	db      *database    // nil if nobody has used it for a while
	pending []pendingPut // to be written
	writing bool
}

// pendingPut is an answer that somebody wants to have on disk.
type pendingPut struct {
	key   string
	value []byte
	done  chan error
}

// Default is the store of the person who runs the program.
func Default() (*Store, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return &Store{Path: filepath.Join(folder, "rubric", "judgements.db")}, nil
}

// storedAnswer is an answer as it is written.
type storedAnswer struct {
	Text  string      `json:"text"`
	Model string      `json:"model,omitempty"`
	Usage judge.Usage `json:"usage,omitzero"`
}

// Get finds an answer.
func (s *Store) Get(key string) (a judge.Answer, found bool, err error) {
	err = s.withBucket(func(b *bbolt.Bucket) error {
		value := b.Get([]byte(key))
		if value == nil {
			return nil
		}
		var k storedAnswer
		if json.Unmarshal(value, &k) == nil { // else the judge is asked again, and its answer takes the place
			a, found = judge.Answer{Text: k.Text, Model: k.Model, Usage: k.Usage}, true
		}
		return nil
	})
	return a, found, err
}

// Put keeps an answer; it is on disk when Put returns. What comes while others are
// written is written after them in one go.
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

// writePending writes until nothing is waiting.
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

// Stats is how much is kept.
type Stats struct {
	Answers int
	Bytes   int64 // of the file
}

// Stats counts what is kept.
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

// Clear removes the file, whatever is in it, and a damaged one that was set aside.
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

// withBucket does something with what is kept, and nothing if that is nothing.
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

// withDatabase calls do with the database. The database stays open while anyone in this process
// uses it, and for a moment after that. A damaged file is set aside: memory that maps no
// part of the file faults, and bbolt panics on pages that make no sense.
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
	if slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS}, matches) { // the disk's fault
		return s.wrapError(err)
	}
	return s.moveDamaged(db, err)
}

// database is an open file.
type database struct {
	*bbolt.DB
	users      int
	closeTimer *time.Timer // closes it; nil while somebody uses it
}

func (s *Store) acquire() (*database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		db, err := bbolt.Open(s.Path, 0o600, &bbolt.Options{Timeout: lockTimeout, OpenFile: openDatabaseFile})
		if errors.Is(err, bolterrors.ErrTimeout) {
			err = errors.New("another process has not let go of it")
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
		if s.db == db && db.closeTimer == timer { // and nobody has come meanwhile
			s.close()
		}
	})
	db.closeTimer = timer
}

// close lets others have the file. Whoever calls it holds the lock.
func (s *Store) close() {
	if s.db != nil {
		s.db.Close()
	}
	s.db = nil
}

// moveDamaged renames a damaged file, so that the next use begins an empty one. It does not
// close db: bbolt would read the damaged pages again, or wait for a lock that the panic
// left held.
func (s *Store) moveDamaged(db *database, damage error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == db {
		s.db = nil
		if err := os.Rename(s.Path, s.Path+damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.wrapError(fmt.Errorf("it is damaged (%w) and cannot be set aside: %w", damage, err))
		}
	}
	return fmt.Errorf("the judgement cache %s was damaged; it was moved to %s and a new one begins", s.Path, filepath.Base(s.Path)+damagedSuffix)
}

const damagedSuffix = ".damaged"

func (s *Store) wrapError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the judgement cache %s cannot be used: %w", s.Path, err)
}
