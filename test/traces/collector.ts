import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A span, as OTLP has it in JSON. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code?: number };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** Collects spans by OTLP over HTTP. */
export async function startCollector() {
  const spans: SentSpan[] = [];
  const services = new Set<string>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/traces')
        for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
          spans.push(...scopeSpans.flatMap((scope) => scope.spans));
          services.add(String(valueOf(resource.attributes, 'service.name')));
        }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The value of an attribute. */
export function valueOf(attributes: SentSpan['attributes'], key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value ?? {};
  return Object.values(value)[0];
}
