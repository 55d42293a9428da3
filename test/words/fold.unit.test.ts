import fc from 'fast-check';
import { fold } from '../../src/features/search/fold';

describe('folding', () => {
  const collator = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  /** Jamo are compared as parts of syllables, and the collation ignores the voiced marks of kana. */
  const letters = all.filter(
    (one) =>
      /\p{L}/u.test(one) &&
      !/[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uac00-\ud7a3]/.test(one.normalize('NFKC')),
  );
  const voiceless = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[\u3099\u309A]/g, '')
      .normalize('NFC');
  /** What is compared of a letter: signs at an end are none of a word. */
  const folded = (letter: string) => fold(letter).replace(/^['·]|['·]$/g, '');
  const pairs = (() => {
    const latin = Array.from('abcdefghijklmnopqrstuvwxyz');
    return latin.flatMap((one) => latin.map((other) => one + other));
  })();

  test('makes letters equal that the collation of searches calls equal, but for voiced marks of kana', () => {
    const sorted = [...letters, ...pairs].sort((a, b) => collator.compare(a, b));
    const different: string[] = [];
    let classes = 0;
    for (let n = 1; n < sorted.length; n++) {
      const [one, other] = [sorted[n - 1] ?? '', sorted[n] ?? ''];
      if (collator.compare(one, other) !== 0) continue;
      classes++;
      const isApostrophe = [one, other].some((letter) => /^'?$/.test(fold(letter)));
      if (!isApostrophe && voiceless(folded(one)) !== voiceless(folded(other)))
        different.push(`${one} ${other}`);
    }
    expect(different).toEqual([]);
    expect(classes).toBeGreaterThan(4000);
  });

  test('leaves letters apart that the collation calls different, but for some that are named', () => {
    const byFold = new Map<string, string>();
    const joined: string[] = [];
    for (const letter of letters) {
      const same = byFold.get(fold(letter));
      if (same === undefined) byFold.set(fold(letter), letter);
      else if (collator.compare(same, letter) !== 0) joined.push(letter);
    }
    // Apostrophes; the dotless i; variants of kaf and yeh; ligatures with them; and what Unicode itself calls compatible.
    const named = /^[ʹʻʼʾʿꞋꞌıᴈᵌ𝚤]$|\p{scx=Arab}|^[ⵡⵯ]$/u;
    expect(joined.filter((letter) => !named.test(letter))).toEqual([]);
  });

  test('removes a mark behind any letter if the collation ignores it there, but for й and the like', () => {
    const marks = all.filter((one) => /\p{M}/u.test(one) && !/[\u3099\u309A]/.test(one));
    const bases = ['a', 'и', 'ا', 'ב', 'क', 'ব', 'க', 'ก', 'ກ', 'ក', 'က', 'α'];
    const different: string[] = [];
    for (const base of bases)
      for (const mark of marks) {
        const isIgnored = collator.compare(base + mark, base) === 0;
        if (isIgnored !== (fold(base + mark) === fold(base))) different.push(`${base}${mark}`);
      }
    // The collation has letters of their own for some that Arabic writes with a hamza.
    expect(different.filter((one) => !/^ا[\u0653-\u0655]/.test(one))).toEqual([]);
  });

  test('folding what was folded changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 5000 },
    );
  });
});
