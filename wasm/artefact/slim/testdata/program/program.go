// Command program uses the runtime's tables: it collects garbage, recovers from a panic in a
// goroutine with a grown stack, and then crashes.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

func main() {
	message := make(chan string)
	go func() {
		defer func() { message <- fmt.Sprint(recover()) }()
		fall(1_000, strings.Repeat("x", 3))
	}()
	fmt.Println(<-message)
	runtime.GC()
	fall(3, "y")
}

//go:noinline
func fall(depth int, text string) int {
	if depth == 0 {
		runtime.GC()
		crash(text)
	}
	copied := strings.Clone(text)
	return fall(depth-1, copied) + len(copied)
}

// crash is inlined into fall.
func crash(text string) { panic("fell with " + text) }
