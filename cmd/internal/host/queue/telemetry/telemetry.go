// Package telemetry reports the cases of a run by OpenTelemetry: to an OTLP receiver, and on an address that Prometheus
// reads. A log has a line of JSON for each case. It reports names, counts, costs and times, and no text of a case, an answer or a judge.
//
// A run is a trace, and a case a span in it. What a judge was asked and how a grader decided are events of the span, named
// as in OpenTelemetry's conventions for generative AI. Records do not say when a question was asked, so it is no span.
package telemetry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/wasm/api"
)

// An Observer reports the events of a run.
type Observer struct {
	traces  *sdktrace.TracerProvider
	meters  *sdkmetric.MeterProvider
	tracer  trace.Tracer
	run     context.Context // with the span of the run
	page    *http.Server    // for Prometheus; nil without
	log     *slog.Logger
	metrics instruments

	mu      sync.Mutex
	started map[*rubric.Case]time.Time
}

type instruments struct {
	cases, questions metric.Int64Counter
	cost             metric.Float64Counter
	duration, tokens metric.Float64Histogram
}

// Open starts to report. otlp is the URL of a receiver, and listen an address for Prometheus; each may be "".
func Open(ctx context.Context, otlp, listen string, log io.Writer) (o *Observer, err error) {
	about := resource.NewSchemaless(attribute.String("service.name", "rubric"), attribute.String("service.version", api.Version))
	traceOptions := []sdktrace.TracerProviderOption{sdktrace.WithResource(about)}
	meterOptions := []sdkmetric.Option{sdkmetric.WithResource(about)}
	if otlp != "" {
		base := strings.TrimRight(otlp, "/")
		spans, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(base+"/v1/traces"))
		if err != nil {
			return nil, err
		}
		numbers, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(base+"/v1/metrics"))
		if err != nil {
			return nil, err
		}
		traceOptions = append(traceOptions, sdktrace.WithBatcher(spans))
		meterOptions = append(meterOptions, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(numbers)))
	}
	o = &Observer{log: slog.New(slog.NewJSONHandler(log, nil)), started: map[*rubric.Case]time.Time{}}
	registry := prometheus.NewRegistry()
	var listener net.Listener
	if listen != "" {
		reader, err := otelprometheus.New(otelprometheus.WithRegisterer(registry))
		if err != nil {
			return nil, err
		}
		meterOptions = append(meterOptions, sdkmetric.WithReader(reader))
		if listener, err = net.Listen("tcp", listen); err != nil {
			return nil, fmt.Errorf("--metrics: %w", err)
		}
	}
	o.traces, o.meters = sdktrace.NewTracerProvider(traceOptions...), sdkmetric.NewMeterProvider(meterOptions...)
	if listener != nil { // a page is empty until the provider has its reader
		pages := http.NewServeMux()
		pages.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
		o.page = &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second}
		go func() { _ = o.page.Serve(listener) }()
	}
	o.tracer = o.traces.Tracer("rubric")
	o.run, _ = o.tracer.Start(context.WithoutCancel(ctx), "run")
	o.metrics, err = newInstruments(o.meters.Meter("rubric"))
	return o, err
}

func newInstruments(m metric.Meter) (i instruments, err error) {
	var errs [5]error
	i.cases, errs[0] = m.Int64Counter("rubric.cases", metric.WithDescription("Cases that were run, by verdict."))
	i.questions, errs[1] = m.Int64Counter("rubric.questions", metric.WithDescription("Questions to judges, by whether the answer was cached."))
	i.cost, errs[2] = m.Float64Counter("rubric.cost", metric.WithUnit("USD"), metric.WithDescription("Known cost of the answers of judges."))
	i.duration, errs[3] = m.Float64Histogram("rubric.case.duration", metric.WithUnit("s"), metric.WithDescription("Time of a case, with its target and graders."))
	i.tokens, errs[4] = m.Float64Histogram("gen_ai.client.token.usage", metric.WithUnit("{token}"), metric.WithDescription("Tokens of a question to a judge."))
	return i, errors.Join(errs[:]...)
}

// Observe reports an event of the run. A result of an earlier run is none.
func (o *Observer) Observe(e run.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case e.Stage == run.Started:
		o.started[e.Case] = time.Now()
	case e.Stage == run.Done && !e.Reused:
		begin, end := o.started[e.Case], time.Now()
		delete(o.started, e.Case)
		if ms := e.Record.DurationMS; ms != nil && !begin.IsZero() {
			end = begin.Add(time.Duration(*ms * float64(time.Millisecond))) // events are in the suite's order, and so come late
		} else if begin.IsZero() {
			begin = end
		}
		o.reportCase(e.Record, begin, end)
	}
}

func (o *Observer) reportCase(rec *run.Record, begin, end time.Time) {
	ctx, span := o.tracer.Start(o.run, "case "+rec.EvalID, trace.WithTimestamp(begin), trace.WithAttributes(
		attribute.String("rubric.case.id", rec.EvalID), attribute.String("rubric.suite", rec.Dataset),
		attribute.String("rubric.target", rec.Target), attribute.String("rubric.verdict", string(rec.Verdict)),
	))
	if rec.Score != nil {
		span.SetAttributes(attribute.Float64("rubric.score", *rec.Score))
	}
	if rec.Verdict == score.Ungraded {
		span.SetStatus(codes.Error, "ungraded")
	}
	questions, cached := 0, 0
	for i := range rec.Graders {
		q, c := o.reportGrader(ctx, span, &rec.Graders[i], rec.Judge, end)
		questions, cached = questions+q, cached+c
	}
	span.SetAttributes(attribute.Int("rubric.questions", questions), attribute.Int("rubric.questions.cached", cached))
	span.End(trace.WithTimestamp(end))
	verdict := metric.WithAttributes(attribute.String("rubric.verdict", string(rec.Verdict)))
	o.metrics.cases.Add(ctx, 1, verdict)
	o.metrics.duration.Record(ctx, end.Sub(begin).Seconds(), verdict)
	level := slog.LevelInfo
	if rec.Verdict == score.Ungraded {
		level = slog.LevelWarn
	}
	o.log.Log(ctx, level, "case", "id", rec.EvalID, "suite", rec.Dataset, "target", rec.Target, "verdict", rec.Verdict, "score", rec.Score,
		"duration_ms", end.Sub(begin).Milliseconds(), "questions", questions, "cached", cached, "trace", span.SpanContext().TraceID())
}

// reportGrader reports what a grader decided and asked, and returns the number of questions and how many were cached.
func (o *Observer) reportGrader(ctx context.Context, span trace.Span, g *run.GraderRecord, judge string, end time.Time) (questions, cached int) {
	result := []attribute.KeyValue{attribute.String("gen_ai.evaluation.name", g.Name)}
	if g.Score != nil {
		result = append(result, attribute.Float64("gen_ai.evaluation.score.value", *g.Score), attribute.String("gen_ai.evaluation.score.label", string(g.Verdict)))
	}
	span.AddEvent("gen_ai.evaluation.result", trace.WithTimestamp(end), trace.WithAttributes(result...))
	for i := range g.Members {
		q, c := o.reportGrader(ctx, span, &g.Members[i], judge, end)
		questions, cached = questions+q, cached+c
	}
	for _, r := range g.Replies {
		questions++
		if r.Cached {
			cached++
		}
		asked := []attribute.KeyValue{attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.response.model", r.Model)}
		hit := attribute.Bool("rubric.cached", r.Cached)
		span.AddEvent("gen_ai.client.inference.operation.details", trace.WithTimestamp(end), trace.WithAttributes(append(asked, hit,
			attribute.String("rubric.grader", g.Name), attribute.String("rubric.judge", cmp.Or(r.Judge, g.Judge, judge)), attribute.Int("rubric.attempt", r.Attempt),
			attribute.Int("gen_ai.usage.input_tokens", r.Usage.Input), attribute.Int("gen_ai.usage.output_tokens", r.Usage.Output))...))
		o.metrics.questions.Add(ctx, 1, metric.WithAttributes(hit))
		if r.Cached {
			continue // its tokens were used in another run
		}
		for kind, n := range map[string]int{"input": r.Usage.Input, "output": r.Usage.Output} {
			o.metrics.tokens.Record(ctx, float64(n), metric.WithAttributes(append(asked, attribute.String("gen_ai.token.type", kind))...))
		}
		if r.Usage.Cost != nil {
			o.metrics.cost.Add(ctx, *r.Usage.Cost)
		}
	}
	return questions, cached
}

// Close ends the run, and sends what is left. An unreachable receiver is an error.
func (o *Observer) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	trace.SpanFromContext(o.run).End()
	errs := []error{o.traces.Shutdown(ctx), o.meters.Shutdown(ctx)}
	if o.page != nil {
		errs = append(errs, o.page.Shutdown(ctx))
	}
	return errors.Join(errs...)
}
