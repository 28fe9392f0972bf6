package host

import (
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// resultLock is the right to write a result file, which one process has at a time.
// The system ends it with the process, however that ends.
type resultLock struct{ file *flock.Flock }

// lockResult claims a result file. The lock's file is taken away at the end, so
// whoever gets the lock looks whether it is still that file's: another process
// may have taken it away in between.
func lockResult(result string) (resultLock, error) {
	path := result + ".lock"
	if err := checkNotLinked(path); err != nil {
		return resultLock{}, err
	}
	for range 100 {
		lock := flock.New(path)
		got, err := lock.TryLock()
		if err != nil {
			return resultLock{}, fileError(result, err)
		}
		if !got {
			break
		}
		locked, err := lock.Stat()
		current, statErr := os.Stat(path)
		if err == nil && statErr == nil && os.SameFile(locked, current) {
			return resultLock{lock}, nil
		}
		lock.Unlock()
	}
	return resultLock{}, fmt.Errorf("%s: another run is writing it", result)
}

func (l resultLock) release() {
	path := l.file.Path()
	if os.Remove(path) != nil { // Windows removes no file that is open
		defer os.Remove(path)
	}
	l.file.Unlock()
}
