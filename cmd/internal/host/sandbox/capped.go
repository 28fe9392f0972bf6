package sandbox

import (
	"bytes"
	"io"
)

// capped keeps the first bytes that are written, as many as there is room for,
// and reports that there are more.
type capped struct {
	kept     bytes.Buffer
	room     int64
	overflow func()
}

func (c *capped) Write(p []byte) (int, error) {
	if int64(len(p)) > c.room {
		p = p[:c.room]
		c.overflow()
	}
	c.room -= int64(len(p))
	n, _ := c.kept.Write(p)
	if c.room == 0 {
		return n, io.ErrShortWrite
	}
	return n, nil
}
