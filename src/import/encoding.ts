import { FileError } from './records/record';

/** The first bytes of files that people take for text, or that only need to be unpacked. */
const others: readonly (readonly [string, string])[] = [
  ['\xff\xfe', 'UTF-16: convert it to UTF-8'],
  ['\xfe\xff', 'UTF-16: convert it to UTF-8'],
  ['PK\x03\x04', 'a ZIP archive or a workbook: unpack it, or save the sheet as CSV in UTF-8'],
  ['BZh', 'compressed by bzip2: unpack it'],
  ['\xfd7zXZ', 'compressed by xz: unpack it'],
  ['\x28\xb5\x2f\xfd', 'compressed by zstd: unpack it'],
  ['PAR1', 'Parquet: export it as CSV'],
  ['SQLite format 3\0', 'an SQLite database: export its table as CSV'],
];

/** Throws a `FileError` that says what a file is, if `head`, its first bytes, are not those of text in UTF-8. */
export function refuseOtherEncodings(head: Buffer): void {
  const start = head.toString('latin1', 0, 20);
  for (const [bytes, what] of others) if (start.startsWith(bytes)) throw new FileError(`the file is ${what}`);
  // UTF-16 without a mark: every other byte of plain letters is 0.
  if (/^(?:\0[\x09-\x7e]|[\x09-\x7e]\0){2}/.test(start))
    throw new FileError('the file is UTF-16: convert it to UTF-8');
}
