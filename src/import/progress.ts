import { SingleBar } from 'cli-progress';

/** Where progress is shown. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The progress of one file. */
export interface Progress {
  /** What has been read and stored so far; cheap enough to call for every chunk. */
  update(bytesRead: number, rows: number, rejected: number): void;
  /** Shows the last state and ends the line. */
  end(): void;
}

const millisecondsBetweenLines = 5000;

/**
 * Shows how far the import of the file `name`, of `totalBytes`, has come: on a terminal as a bar with rows, rate and
 * time left, elsewhere (a log, a pipe) as a plain line every five seconds and one at the end.
 */
export function createProgress(stream: ProgressStream, totalBytes: number, name: string): Progress {
  const meter = new Meter(totalBytes);
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
      bar.update(meter.percent(), payload());
      bar.stop();
    },
  };
}

function lineProgress(stream: ProgressStream, meter: Meter, name: string): Progress {
  const show = (): boolean => stream.write(`${name}: ${meter.percent()}% | ${meter.figures()}\n`);
  let next = performance.now() + millisecondsBetweenLines;
  return {
    update(...state) {
      meter.set(...state);
      if (performance.now() < next) return;
      next = performance.now() + millisecondsBetweenLines;
      show();
    },
    end() {
      show();
    },
  };
}

class Meter {
  private readonly started = performance.now();
  private bytesRead = 0;
  private rows = 0;
  private rejected = 0;

  constructor(private readonly totalBytes: number) {}

  set(bytesRead: number, rows: number, rejected: number): void {
    Object.assign(this, { bytesRead, rows, rejected });
  }

  percent(): number {
    return this.totalBytes === 0 ? 100 : Math.min(100, Math.floor((100 * this.bytesRead) / this.totalBytes));
  }

  figures(): string {
    const seconds = (performance.now() - this.started) / 1000;
    const rate = Math.round(this.rows / Math.max(seconds, 0.001));
    const rejected = this.rejected === 0 ? '' : ` | ${grouped(this.rejected)} rejected`;
    return `${grouped(this.rows)} rows | ${grouped(rate)}/s${rejected} | ${this.time(seconds)}`;
  }

  private time(seconds: number): string {
    if (this.bytesRead >= this.totalBytes) return `${clock(seconds)} taken`;
    if (this.bytesRead === 0) return 'time left unknown';
    return `${clock((seconds * (this.totalBytes - this.bytesRead)) / this.bytesRead)} left`;
  }
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** `75` seconds as `1:15`, `3675` as `1:01:15`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return parts.join(':').replace(/^(00:)?0?/, '');
}
