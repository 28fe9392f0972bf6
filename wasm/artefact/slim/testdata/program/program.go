// Command program collects garbage, recovers from a panic in a goroutine's stack
// that has grown, and then crashes: what the runtime's tables are read for.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

func main() {
	said := make(chan string)
	go func() {
		defer func() { said <- fmt.Sprint(recover()) }()
		fall(1_000, strings.Repeat("x", 3))
	}()
	fmt.Println(<-said)
	runtime.GC()
	fall(3, "y")
}

//go:noinline
func fall(depth int, text string) int {
	if depth == 0 {
		runtime.GC()
		crash(text)
	}
	kept := strings.Clone(text)
	return fall(depth-1, kept) + len(kept)
}

// crash is inlined into fall.
func crash(text string) { panic("fell with " + text) }
