package wasi

// clock is a guest's time: it starts at the same instant in every run, and goes
// on only as far as the guest asks it to, by looking or by sleeping, so that a
// run can be repeated and a sleep takes no time.
type clock struct{ elapsed int64 } // nanoseconds

// epoch is 1 January 2026, in seconds.
const epoch = 1767225600

func (c *clock) walltime() (sec int64, nsec int32) {
	now := c.nanotime()
	return epoch + now/1e9, int32(now % 1e9)
}

func (c *clock) nanotime() int64 {
	c.elapsed += 1000
	return c.elapsed
}

func (c *clock) sleep(ns int64) { c.elapsed += max(ns, 0) }
