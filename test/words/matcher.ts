// The definition of search, as plainly as it can be said: every stretch of a text is compared with the word by ICU's collation. Nothing
// of the product is used, so that the two can be compared.
const collator = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });

const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Mymr}]/u;
const letter = /[\p{L}\p{M}\p{N}_]/u;

/** Whether a letter of a script with spaces. */
function isSpaced(character: string | undefined): boolean {
  return character !== undefined && letter.test(character) && !unspaced.test(character);
}

/** The text with one form of what the definition calls equal although the collation does not. */
function levelled(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[’ʼ]/g, "'")
    .replace(/ı/g, 'i')
    .replace(/(?<=l)·/gi, '')
    .replace(/[ىی]/g, 'ي')
    .replace(/ک/g, 'ك')
    .replace(/[\u00AD\u200C\u200D\u0640]/g, '');
}

/** The voiced marks of kana, which the collation ignores, by the number of letters before them. */
function voices(text: string): string {
  const letters = Array.from(
    text.normalize('NFKD').replace(/\p{M}/gu, (mark) => (/[\u3099\u309A]/.test(mark) ? mark : '')),
  );
  const found: string[] = [];
  let before = 0;
  for (const one of letters)
    if (/[\u3099\u309A]/.test(one)) found.push(`${before}${one}`);
    else before++;
  return found.join(' ');
}

/** Thai and Lao write the vowel am as one sign, of which the collation compares the second half only. */
const vowelsAm = (text: string) => text.match(/[ำຳ]/g)?.length ?? 0;

function areEqual(a: string, b: string): boolean {
  return collator.compare(a, b) === 0 && voices(a) === voices(b) && vowelsAm(a) === vowelsAm(b);
}

const levelledTexts = new Map<string, readonly string[]>();

function lettersOf(text: string): readonly string[] {
  const letters = levelledTexts.get(text) ?? Array.from(levelled(text));
  levelledTexts.set(text, letters);
  return letters;
}

/** Whether a text has a word. */
export function isIn(text: string, word: string): boolean {
  const letters = lettersOf(text);
  const wanted = levelled(word);
  const length = Array.from(wanted).length;
  for (let from = 0; from < letters.length; from++) {
    if (isMark(letters[from])) continue;
    if (isSpaced(letters[from]) && isSpaced(before(letters, from))) continue;
    // An accent may be a character of its own, and æ is two letters.
    for (let to = from + Math.ceil(length / 2); to <= Math.min(letters.length, from + 2 * length + 4); to++) {
      if (isMark(letters[to])) continue;
      if (isSpaced(letters[to - 1]) && isSpaced(letters[to])) continue;
      if (areEqual(letters.slice(from, to).join(''), wanted)) return true;
    }
  }
  return false;
}

const accent = /[\p{M}\p{Lm}]/u;

/** Whether a character is an accent by the collation, which belongs to the letter before it. */
function isMark(character: string | undefined): boolean {
  return character !== undefined && accent.test(character) && collator.compare(character, '') === 0;
}

function before(letters: readonly string[], index: number): string | undefined {
  let at = index - 1;
  while (isMark(letters[at])) at--;
  return letters[at];
}

/** Words of a text that people would search: those between spaces and signs, and of scripts without spaces any stretch. */
export function wordsToAsk(text: string, random: (max: number) => number): string[] {
  const runs = text.match(/(?:[\p{L}\p{M}\p{N}_\u200C]|(?<=\p{L})['’·](?=\p{L}))+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!unspaced.test(run)) return [run, ...run.split(/['’·]/)].filter((one) => /[\p{L}\p{N}]/u.test(one));
    const letters = Array.from(run);
    return Array.from({ length: 6 }, () => {
      const from = random(letters.length);
      return letters.slice(from, from + 1 + random(5)).join('');
    }).filter(
      (one) => one.normalize('NFC') === one && !/^\p{M}|^[ーｰ]/u.test(one) && /\p{L}|\p{N}/u.test(one),
    );
  });
}
