import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestTrace } from '../base/request-trace';
import type { TracingSettings } from '../config/tracing-settings';

/** A request as it is traced. */
export interface BegunTrace {
  readonly traceId: string;
  /** The header field that names the request's span (W3C Trace Context). */
  readonly traceparent: string;
  /** Null if the request is not sampled. */
  readonly trace: RequestTrace | null;
}

/** Traces requests by OpenTelemetry. */
export interface Tracing {
  /** Begins the trace of a request, or continues the one that its `traceparent` names. */
  begin(this: void, method: string, headers: IncomingHttpHeaders): BegunTrace;
  /** Sends what is left, if the collector answers soon. */
  close(this: void): Promise<void>;
}

/** How long the end of a server waits for the collector: what runs servers kills one that takes long to end. */
const MAX_CLOSE_MS = 2000;

/** The codes of errors for which the server is to blame. */
const SERVER_ERRORS = ['INTERNAL_SERVER_ERROR', 'UNAVAILABLE'];

/** The packages of OpenTelemetry. */
type Packages = Awaited<ReturnType<typeof loadPackages>>;
// These are the types of the modules as they are loaded: the packages declare them once more for CommonJS.
type Tracer = ReturnType<InstanceType<Packages['sdk']['TracerProvider']>['getTracer']>;
type Span = ReturnType<Tracer['startSpan']>;

/** Loads OpenTelemetry, which takes time and memory, so only servers that send traces do it. */
async function loadPackages() {
  const [api, { W3CTraceContextPropagator }, { OTLPTraceExporter }, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  return { api, W3CTraceContextPropagator, OTLPTraceExporter, resources, sdk };
}

/**
 * Opens the exporter that sends traces by OTLP over HTTP, as JSON; null if the settings ask for nothing. It reads further standard
 * variables, such as that of headers, by itself. Its failures are told to `logger`.
 */
export async function openTracing(settings: TracingSettings | null, logger: Logger): Promise<Tracing | null> {
  if (settings === null) return null;
  const packages = await loadPackages();
  const { api, W3CTraceContextPropagator, OTLPTraceExporter, resources, sdk } = packages;
  const { url, serviceName } = settings;
  const warn = (message: string, ...details: readonly unknown[]) => {
    logger.warn({ details: details.map(String) }, `traces: ${message}`);
  };
  const quiet = () => undefined;
  api.diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const fromEnvironment = resources.detectResources({ detectors: [resources.resourceAttributesEnvDetector] });
  const provider = new sdk.TracerProvider({
    sampler: createSampler(sdk, settings),
    resource: resources
      .defaultResource()
      .merge(fromEnvironment)
      .merge(resources.resourceFromAttributes({ 'service.name': serviceName })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer('murmuration');
  const propagator = new W3CTraceContextPropagator();
  return {
    begin(method, headers) {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      const attributes = { 'http.request.method': method, 'url.path': '/graphql' };
      const span = tracer.startSpan(`${method} /graphql`, { kind: api.SpanKind.SERVER, attributes }, parent);
      const { traceId, spanId, traceFlags } = span.spanContext();
      const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
      return { traceId, traceparent, trace: span.isRecording() ? createTrace(packages, tracer, span) : null };
    },
    async close() {
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([sent, sleep(MAX_CLOSE_MS, false, { ref: false })])))
        warn('the last ones were not sent');
    },
  };
}

function createTrace({ api }: Packages, tracer: Tracer, request: Span): RequestTrace {
  const within = (parent: Span) => api.trace.setSpan(api.ROOT_CONTEXT, parent);
  let phase: Span | null = null;
  const enter: RequestTrace['enter'] = (name) => {
    phase?.end();
    phase = name === null ? null : tracer.startSpan(name, {}, within(request));
  };
  return {
    enter,
    send(statement, table) {
      const attributes = { 'db.system.name': 'cassandra', 'db.collection.name': table };
      const span = tracer.startSpan(
        statement,
        { kind: api.SpanKind.CLIENT, attributes },
        within(phase ?? request),
      );
      return (outcome) => {
        if (outcome instanceof Error)
          span.setStatus({ code: api.SpanStatusCode.ERROR, message: outcome.message });
        else
          span.setAttributes({
            'murmuration.partitions': outcome.partitions,
            'murmuration.rows': outcome.rows,
            'murmuration.bytes': outcome.bytes,
          });
        span.end();
      };
    },
    end({ status, operation, codes }) {
      enter(null);
      request.setAttribute('http.response.status_code', status);
      if (operation !== null) request.setAttribute('graphql.operation.name', operation);
      if (codes.length > 0) request.setAttribute('murmuration.errors', [...codes]);
      if (codes.some((code) => SERVER_ERRORS.includes(code)))
        request.setStatus({ code: api.SpanStatusCode.ERROR });
      request.end();
    },
  };
}

function createSampler(sdk: Packages['sdk'], { sampler: name, ratio }: TracingSettings) {
  const isParentBased = name.startsWith('parentbased_');
  const root = name.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new sdk.ParentBasedSampler({ root }) : root;
}
