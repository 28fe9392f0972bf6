// Command hostile is a grader that does what its first argument says, mostly
// what a grader should not.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

var allocated [][]byte

var acts = map[string]func() string{
	"well": func() string { in, _ := io.ReadAll(os.Stdin); return fmt.Sprintf("%d bytes", len(in)) },
	"loops": func() string {
		for n := 0; ; n++ {
			allocated = allocated[:0]
		}
	},
	"grows": func() string {
		for {
			allocated = append(allocated, bytes.Repeat([]byte{1}, 1<<20))
		}
	},
	"prints":  func() string { return flood(os.Stdout) },
	"screams": func() string { return flood(os.Stderr) },
	"reads": func() string {
		_, err := os.ReadFile("/etc/passwd")
		return fmt.Sprint("file: ", err)
	},
	"writes":  func() string { return fmt.Sprint("file: ", os.WriteFile("here", []byte("x"), 0o644)) },
	"lists":   func() string { entries, err := os.ReadDir("."); return fmt.Sprint(len(entries), " ", err) },
	"dials":   func() string { _, err := net.Dial("tcp", "127.0.0.1:80"); return fmt.Sprint("socket: ", err) },
	"listens": func() string { _, err := os.Open("/dev/tcp"); return fmt.Sprint("device: ", err) },
	"forks":   func() string { return fmt.Sprint("program: ", exec.Command("/bin/sh", "-c", "true").Run()) },
	"looks":   func() string { return fmt.Sprint("environment: ", len(os.Environ()), strings.Join(os.Environ(), " ")) },
	"sleeps":  func() string { time.Sleep(time.Hour); return "slept" },
	"dates":   func() string { return time.Now().UTC().Format("2006-01-02") },
	"panics":  func() string { panic("oh no") },
	"quits":   func() string { fmt.Print(`{"score":1}`); os.Exit(3); return "" },
}

func main() {
	output, _ := json.Marshal(map[string]any{"score": 1, "reasoning": acts[os.Args[1]]()})
	os.Stdout.Write(output)
}

func flood(w io.Writer) string {
	line := bytes.Repeat([]byte("x"), 1<<20)
	for range 1024 {
		w.Write(line)
	}
	return "flooded"
}
