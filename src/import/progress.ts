import { SingleBar } from 'cli-progress';
import { formatCount } from '../kit/base/format-count';

/** The stream that progress is written to. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The progress of one task. */
export interface Progress {
  /** Sets how much of the total is done, and how many items came of it. Cheap enough to call for every chunk. */
  update(done: number, items: number, rejected: number): void;
  /** Shows the last state and ends the line. */
  end(): void;
}

const LINE_INTERVAL_MS = 5000;

/**
 * Shows the progress of the task `name` towards `total` (the bytes of a file, say; `Infinity` if it is not known). On a
 * terminal it is a bar with items, rate and time left; in a log or a pipe it is a plain line every five seconds and one
 * at the end.
 */
export function createProgress(
  stream: ProgressStream,
  total: number,
  name: string,
  items = 'rows',
): Progress {
  const meter = new Meter(total, items);
  return stream.isTTY === true ? barProgress(stream, meter, name) : lineProgress(stream, meter, name);
}

function barProgress(stream: ProgressStream, meter: Meter, name: string): Progress {
  const bar = new SingleBar({
    stream,
    format: `${name} {bar} {percent}% | {figures}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    gracefulExit: false,
  });
  const payload = (): object => ({ percent: meter.percent(), figures: meter.figures() });
  bar.start(100, 0, payload());
  return {
    update(...state) {
      meter.set(...state);
      bar.update(meter.percent(), payload());
    },
    end() {
      meter.end();
      bar.update(meter.percent(), payload());
      bar.stop();
    },
  };
}

function lineProgress(stream: ProgressStream, meter: Meter, name: string): Progress {
  const show = (): boolean => stream.write(`${name}: ${meter.percent()}% | ${meter.figures()}\n`);
  let next = performance.now() + LINE_INTERVAL_MS;
  return {
    update(...state) {
      meter.set(...state);
      // The last line is shown by `end`, once.
      if (performance.now() < next || meter.isDone) return;
      next = performance.now() + LINE_INTERVAL_MS;
      show();
    },
    end() {
      meter.end();
      show();
    },
  };
}

class Meter {
  private readonly started = performance.now();
  private done = 0;
  private count = 0;
  private rejected = 0;

  constructor(
    private total: number,
    private readonly items: string,
  ) {}

  set(done: number, count: number, rejected: number): void {
    Object.assign(this, { done, count, rejected });
  }

  /** If the total was unknown, it is what has been done. */
  end(): void {
    if (this.total === Infinity) this.total = this.done;
  }

  /** Whether the total is done. */
  get isDone(): boolean {
    return this.done >= this.total;
  }

  percent(): number {
    return this.total === 0 ? 100 : Math.min(100, Math.floor((100 * this.done) / this.total));
  }

  figures(): string {
    const seconds = (performance.now() - this.started) / 1000;
    const rate = Math.round(this.count / Math.max(seconds, 0.001));
    const rejected = this.rejected === 0 ? '' : ` | ${formatCount(this.rejected)} rejected`;
    return `${formatCount(this.count)} ${this.items} | ${formatCount(rate)}/s${rejected} | ${this.time(seconds)}`;
  }

  private time(seconds: number): string {
    if (this.isDone) return `${clock(seconds)} taken`;
    if (this.done === 0 || this.total === Infinity) return 'time left unknown';
    return `${clock((seconds * (this.total - this.done)) / this.done)} left`;
  }
}

/** `75` seconds as `1:15`, `3675` as `1:01:15`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return parts.join(':').replace(/^(00:)?0?/, '');
}
