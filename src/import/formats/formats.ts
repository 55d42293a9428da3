import { bestFit, headersAtHead, type Fit } from '../records/csv-header';
import { FileError, type Format } from '../records/record';
import { excerpt } from '../records/row';
import { flatCsv } from './flat-csv';
import { followersCsv, follows } from './follows';
import { describeJson, looksLikeJson } from '../records/json-file';
import { tweetsCsv, tweetsGeo } from './tweets-csv';
import { twintCsv } from './twint-csv';
import { twitter } from './twitter';
import { usersCsv } from './users-csv';

/** Every format that can be imported. */
export const formats: readonly Format[] = [
  follows,
  usersCsv,
  followersCsv,
  tweetsCsv,
  twintCsv,
  flatCsv,
  tweetsGeo,
  twitter,
];

const names = formats.map(({ name }) => name).join(', ');

/** The format that `--format` selects by `name`. Throws a `FileError` if there is none. */
export function formatNamed(name: string): Format {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw new FileError(`the format must be one of ${names}, but got: ${name}`);
  return format;
}

/**
 * The format of a file that begins with `head`, up to 64 KiB without a byte order mark, by all of its columns. Throws a `FileError` if
 * none fits, which says what is near, or if several do.
 */
export function detectFormat(head: Buffer): Format {
  if (head.length === 0) throw new FileError('the file is empty');
  const fitting = formats.filter((format) => format.detect?.(head) === true);
  if (fitting.length === 0 && looksLikeJson(head))
    throw new FileError(`no format fits this JSON: ${describeJson(head)}. The formats are ${names}.`);
  if (fitting.length === 0) fitting.push(...fittingCsv(head));
  const [format, ...others] = fitting;
  if (format === undefined) throw new FileError(describeNear(head));
  if (others.length > 0)
    throw new FileError(
      `the columns fit several formats, ${fitting.map(({ name }) => name).join(' and ')}: name one with --format`,
    );
  return format;
}

interface CsvFit extends Fit {
  readonly format: Format;
}

function csvFits(head: Buffer): CsvFit[] {
  const headers = headersAtHead(head);
  return formats.flatMap((format) => {
    const fit = format.columns && bestFit(headers, format.columns);
    return fit === undefined ? [] : { ...fit, format };
  });
}

/** Returns the CSV formats that fit. A format is left out if another one knows all of its columns and more. */
function fittingCsv(head: Buffer): Format[] {
  const whole = csvFits(head).filter(({ missing, foreign }) => missing.length === 0 && foreign.length === 0);
  const isLess = (fit: CsvFit) =>
    whole.some(
      ({ known }) => known.length > fit.known.length && fit.known.every((name) => known.includes(name)),
    );
  return whole.filter((fit) => !isLess(fit)).map(({ format }) => format);
}

function describeNear(head: Buffer): string {
  for (const format of formats) {
    const near = format.describeNear?.(head);
    if (near !== undefined) return `no format fits: ${near}`;
  }
  const fits = csvFits(head);
  const near = fits
    .filter(({ known }) => known.length > 0)
    .sort((a, b) => a.missing.length - b.missing.length)
    .slice(0, 3)
    .map(({ format: { name }, missing, foreign }) =>
      missing.length > 0
        ? `${name}, which lacks ${missing.join(', ')}`
        : `${name}, which does not read ${foreign.join(', ')}`,
    );
  const [first] = fits;
  const header = first === undefined ? 'only empty lines' : excerpt(first.header.names.join(','));
  const hint = near.length > 0 ? `Near are: ${near.join('; ')}.` : `The formats are ${names}.`;
  return `no format fits the first line: ${header}. ${hint}`;
}
