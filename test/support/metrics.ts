import type { Harness } from './harness';

/** Numbers of /metrics, by name with labels. */
export type Numbers = ReadonlyMap<string, number>;

/** The numbers that /metrics of a server shows. */
export async function metricsOf(server: Pick<Harness, 'get'>): Promise<Numbers> {
  const { status, body } = await server.get('/metrics');
  expect(status).toBe(200);
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(.+) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

/** One of these numbers. Throws if there is none of that name. */
export async function metricOf(server: Pick<Harness, 'get'>, name: string): Promise<number> {
  const value = (await metricsOf(server)).get(name);
  if (value === undefined) throw new Error(`/metrics must show ${name}`);
  return value;
}
