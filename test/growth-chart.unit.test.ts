import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test("the README's chart shows the figures of docs/growth.json", () => {
  const folder = mkdtempSync(join(tmpdir(), 'growth-'));
  try {
    const drawn = join(folder, 'growth.svg');
    execFileSync(process.execPath, [join(__dirname, '../scripts/draw-growth.mjs'), drawn]);
    expect(readFileSync(drawn, 'utf8')).toBe(readFileSync(join(__dirname, '../docs/growth.svg'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
