package host

import (
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// claim is the right to write a result file, which one process has at a time.
// The system ends it with the process, however that ends.
type claim struct{ lock *flock.Flock }

// claimed claims a result file. The lock's file is taken away at the end, so
// whoever gets the lock looks whether it is still that file's: another process
// may have taken it away in between.
func claimed(result string) (claim, error) {
	path := result + ".lock"
	if err := notLinked(path); err != nil {
		return claim{}, err
	}
	for range 100 {
		lock := flock.New(path)
		got, err := lock.TryLock()
		if err != nil {
			return claim{}, plainly(result, err)
		}
		if !got {
			break
		}
		mine, err := lock.Stat()
		named, gone := os.Stat(path)
		if err == nil && gone == nil && os.SameFile(mine, named) {
			return claim{lock}, nil
		}
		lock.Unlock()
	}
	return claim{}, fmt.Errorf("%s: another run is writing it", result)
}

func (c claim) release() {
	path := c.lock.Path()
	if os.Remove(path) != nil { // Windows removes no file that is open
		defer os.Remove(path)
	}
	c.lock.Unlock()
}
