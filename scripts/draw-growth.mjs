// node scripts/draw-growth.mjs [FILE]: draws the chart of the README from docs/growth.json, by default as docs/growth.svg.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../docs');
const { tweets, questions, connections } = JSON.parse(readFileSync(join(docs, 'growth.json'), 'utf8'));

const COLORS = { Murmuration: '#1f6feb', PostgreSQL: '#c2410c' };
const INK = '#24292f';
const QUIET = '#57606a';
const GRID = '#d8dee4';

const WIDTH = 960;
const HEIGHT = 330;
const LEFT = 56;
const TOP = 84;
const PLOT_HEIGHT = 190;
const PANEL_WIDTH = 232;
const PANEL_GAP = 68;
/** The milliseconds of the axis, whose steps are tenfold, as those of the tweets are. */
const MILLISECONDS = [1, 10, 100, 1000];

const round = (number) => Math.round(number * 10) / 10;
const between = (value, [first], last) =>
  (Math.log(value) - Math.log(first)) / (Math.log(last) - Math.log(first));
const y = (ms) => round(TOP + PLOT_HEIGHT * (1 - between(ms, MILLISECONDS, MILLISECONDS.at(-1))));
const x = (count, panel) =>
  round(LEFT + panel * (PANEL_WIDTH + PANEL_GAP) + PANEL_WIDTH * between(count, tweets, tweets.at(-1)));
const shown = (ms) => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));

const text = (atX, atY, words, { size = 12, color = QUIET, anchor = 'start', weight = 400 } = {}) =>
  `<text x="${atX}" y="${atY}" font-size="${size}" fill="${color}" text-anchor="${anchor}" font-weight="${weight}">${words}</text>`;

function panelOf({ name, answersPerSecond }, panel) {
  const [start, end] = [x(tweets[0], panel), x(tweets.at(-1), panel)];
  const grid = MILLISECONDS.flatMap((ms) => [
    `<line x1="${start}" y1="${y(ms)}" x2="${end}" y2="${y(ms)}" stroke="${GRID}"/>`,
    ...(panel === 0 ? [text(start - 12, y(ms) + 4, ms, { anchor: 'end' })] : []),
  ]);
  const counts = tweets.map((count) =>
    text(x(count, panel), TOP + PLOT_HEIGHT + 20, count.toLocaleString('en'), { anchor: 'middle' }),
  );
  const lines = Object.entries(answersPerSecond).flatMap(([side, rates]) => {
    const points = rates.map((rate, index) => {
      const ms = (1000 * connections) / rate;
      return { ms, atX: x(tweets[index], panel), atY: y(ms) };
    });
    const last = points.at(-1);
    return [
      `<polyline points="${points.map(({ atX, atY }) => `${atX},${atY}`).join(' ')}" fill="none" stroke="${COLORS[side]}" stroke-width="2"/>`,
      ...points.map(({ atX, atY }) => `<circle cx="${atX}" cy="${atY}" r="4" fill="${COLORS[side]}"/>`),
      text(last.atX + 10, last.atY + 4, shown(last.ms), { color: INK, weight: 600 }),
    ];
  });
  return [text(start, TOP - 18, name, { size: 13, color: INK, weight: 600 }), ...grid, ...counts, ...lines];
}

function keyOf(side, index) {
  const atX = WIDTH - 250 + index * 125;
  return [
    `<circle cx="${atX}" cy="24" r="4" fill="${COLORS[side]}"/>`,
    text(atX + 10, 28, side, { size: 13, color: INK }),
  ];
}

const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" role="img">`,
  `<title>Milliseconds of an answer by the number of tweets stored, Murmuration and PostgreSQL</title>`,
  `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff"/>`,
  text(16, 28, `Milliseconds of an answer, ${connections} connections`, {
    size: 14,
    color: INK,
    weight: 600,
  }),
  ...Object.keys(COLORS).flatMap(keyOf),
  ...questions.flatMap(panelOf),
  text(WIDTH / 2, HEIGHT - 10, 'tweets stored', { anchor: 'middle' }),
  '</svg>',
];
writeFileSync(process.argv[2] ?? join(docs, 'growth.svg'), `${svg.join('\n')}\n`);
