// Command rubric-queue is rubric with a client for NATS: it coordinates workers and is one. It is a program of its own
// because most people have no queue, and rubric with the client would be 1.7 MB larger than its limit allows.
package main

import (
	"os"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
)

func main() {
	cli.QueueClient = jetstream.Client{}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
