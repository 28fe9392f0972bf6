// Command rubric-queue is rubric with a client for NATS, one for object stores, and OpenTelemetry. It is a program of its
// own because most people have none of these, and rubric would be larger than its limit allows.
package main

import (
	"context"
	"io"
	"os"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache/objectstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/telemetry"
)

func main() {
	connect()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// connect gives the command line what rubric has not.
func connect() {
	cli.QueueClient = jetstream.Client{}
	cli.ObjectStore = objectstore.Open
	cli.OpenTelemetry = func(ctx context.Context, otlp, listen string, log io.Writer) (cli.Telemetry, error) {
		return telemetry.Open(ctx, otlp, listen, log)
	}
}
