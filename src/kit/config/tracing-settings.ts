import { z } from 'zod';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

/** The variables of OpenTelemetry that the server reads itself. */
export const tracingSettings = z.object({
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/json']).optional(),
  OTEL_SERVICE_NAME: z.string().default('murmuration'),
  OTEL_TRACES_SAMPLER: z
    .enum([...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
});

/** The destination of traces, and the sampler that chooses them. */
export interface TracingSettings {
  readonly url: string;
  readonly serviceName: string;
  readonly sampler: z.infer<typeof tracingSettings>['OTEL_TRACES_SAMPLER'];
  /** The part of the traces that is sent, from 0 to 1, if the sampler is one of a ratio. */
  readonly ratio: number;
}

/** Reads the settings of tracing. Returns null if nothing is traced, as is so unless an endpoint is set. */
export function readTracing(s: z.infer<typeof tracingSettings>): TracingSettings | null {
  const base = s.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '');
  const url = s.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? undefined : `${base}/v1/traces`);
  const isOff = s.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || s.OTEL_TRACES_EXPORTER === 'none';
  if (url === undefined || isOff) return null;
  return {
    url,
    serviceName: s.OTEL_SERVICE_NAME,
    sampler: s.OTEL_TRACES_SAMPLER,
    ratio: s.OTEL_TRACES_SAMPLER_ARG,
  };
}
