import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parser } from '@prometheus-io/lezer-promql';
import { person, startHarness, tweet, type Harness } from './support/harness';
import { metricsOf } from './support/metrics';

const ops = join(__dirname, '..', 'ops');
const { groups } = parse(readFileSync(join(ops, 'alerts.yml'), 'utf8')) as AlertFile;
const alerts = groups.flatMap(({ rules }) => rules);
const ofDashboards = readdirSync(join(ops, 'grafana')).flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(join(ops, 'grafana', file), 'utf8')) as Dashboard;
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
});
const expressions = [...alerts.map(({ expr }) => expr), ...ofDashboards];

interface AlertFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly summary: string };
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/** What Prometheus adds itself, and what only a machine with several server processes shows. */
const ELSEWHERE = ['up', 'murmuration_workers', 'murmuration_workers_ready'];
/** The label that Prometheus adds to all that it scrapes; docs/operations.md says what the job must be named. */
const OUR_JOB = 'job="murmuration"';

/** What an expression asks for; throws if it is not PromQL. Each label is looked for in each of its metrics. */
function namesIn(expression: string) {
  const text = expression.replaceAll(/\$__(rate_interval|range)/g, '5m');
  const names = {
    selectors: [] as string[],
    metrics: [] as string[],
    labels: [] as string[],
    values: [] as string[],
  };
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`An alert or panel must be PromQL, but is: ${expression}`);
      if (part === OUR_JOB) return false;
      if (type.name === 'VectorSelector') {
        names.selectors.push(part);
        names.metrics.push(/^\w+/.exec(part)?.[0] ?? '');
      }
      if (type.name === 'LabelName') names.labels.push(part);
      if (type.name === 'StringLiteral' && node.parent?.name !== 'FunctionCallBody')
        names.values.push(...part.slice(1, -1).split('|'));
      return true;
    },
  });
  return names;
}

/** What of an expression a server does not show. */
function missingIn(expression: string, shown: readonly string[]): string[] {
  const { metrics, labels, values } = namesIn(expression);
  return metrics
    .filter((metric) => !ELSEWHERE.includes(metric))
    .flatMap((metric) => {
      const series = shown.filter((one) => one === metric || one.startsWith(`${metric}{`));
      if (series.length === 0) return [metric];
      const isThere = (text: string) => series.some((one) => one.includes(text));
      return [
        ...labels.filter((label) => !isThere(`${label}="`)),
        ...values.filter((value) => !isThere(`="${value}"`)),
      ];
    });
}

let server: Harness;
let shown: readonly string[];
beforeAll(async () => {
  server = await startHarness({ CACHE_SECONDS: '2' });
  await server.store([person('1', 'ada'), person('2', 'bo'), tweet('100', '1')]);
  await server.query('{ user(username: "ada") { tweets(first: 1) { nodes { content author { name } } } } }');
  await server.query('{ nothing }');
  await server.query('mutation { createTweet(input: { content: "new" }) { tweet { id } } }', {}, '1');
  await server.writeServices.outbox.idle();
  shown = [...(await metricsOf(server)).keys()];
});

test('there are a dozen alerts, each with sentences that say what to do', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBeGreaterThanOrEqual(12);
  for (const { annotations } of alerts) expect(annotations.summary).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
});

test.each(expressions)('a server shows what %s asks for', (expression) => {
  expect(namesIn(expression).metrics).not.toEqual([]);
  expect(missingIn(expression, shown)).toEqual([]);
});

test('metrics that other programs show as well are asked for of our job', () => {
  const shared = expressions
    .flatMap((expression) => namesIn(expression).selectors)
    .filter((selector) => !selector.startsWith('murmuration_'));
  expect(shared).not.toEqual([]);
  for (const selector of shared) expect(selector).toContain(OUR_JOB);
});

test('a metric, a label or a value that no server shows is found, and what is no PromQL', () => {
  expect(missingIn('rate(murmuration_nothing_total[5m])', shown)).toEqual(['murmuration_nothing_total']);
  expect(missingIn('sum by (kind) (murmuration_cache_bytes)', shown)).toEqual(['kind']);
  expect(missingIn('murmuration_waits_total{queue="none"}', shown)).toEqual(['none']);
  expect(() => namesIn('sum(rate(murmuration_waits_total[5m])')).toThrow('must be PromQL');
});
