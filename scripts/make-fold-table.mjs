// node scripts/make-fold-table.mjs: prints src/features/search/fold-table.ts. Its data comes from ICU, the Unicode library of Node, whose
// version differs between versions of Node. So the table is committed: the terms in a database must not depend on the Node.
const collator = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });
const areEqual = (a, b) => collator.compare(a, b) === 0;

const all = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const letters = all.filter((one) => /\p{L}/u.test(one));
const marks = all.filter((one) => /\p{M}/u.test(one));

/** The voiced marks of kana stay, although the collation ignores them. */
const VOICED = ['\u3099', '\u309a'];
const removedMarks = marks.filter((one) => areEqual(`x${one}`, 'x') && !VOICED.includes(one));
const removedLetters = letters.filter(
  (one) => areEqual(one, '') && !/[ﾞﾟ]/.test(one) && one.normalize('NFKD') === one,
);
const isRemoved = new Set(removedMarks);

/** Letters that differ from their base letter, although their mark by itself is ignored, such as й; and Thai and Lao vowels. */
const whole = letters.filter((one) => {
  const [base, mark, ...others] = one.normalize('NFKD');
  if (mark === undefined || others.length > 0 || one !== one.toLowerCase() || base === ' ') return false;
  // The nikhahit is a mark before the vowel in the decomposed form of the vowel am.
  if (isRemoved.has(base)) return /[\p{scx=Thai}\p{scx=Laoo}]/u.test(one);
  return isRemoved.has(mark) && !areEqual(one, base) && !/\p{scx=Arab}/u.test(one);
});

/** The first steps of folding: see `fold`. */
function simplified(text) {
  if (whole.includes(text.toLowerCase())) return text.toLowerCase();
  return [...text.normalize('NFKD')]
    .filter((one) => !isRemoved.has(one))
    .join('')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();
}

/** Letters that only look at syllables can tell, and that people do not write by themselves. */
const isJamo = (one) => /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/.test(one);
const compared = [...letters, ...marks.filter((one) => !isRemoved.has(one) && !VOICED.includes(one))].filter(
  (one) => !areEqual(one, '') && !/[ͺ\uac00-\ud7a3ﾞﾟ]/.test(one) && !isJamo(one.normalize('NFKD')),
);
const latin = [...'abcdefghijklmnopqrstuvwxyz'];
const pairs = latin.flatMap((one) => latin.map((other) => one + other));
const sorted = [...compared, ...pairs].sort((a, b) => collator.compare(a, b) || (a < b ? -1 : 1));
const classes = [];
for (const one of sorted) {
  const last = classes.at(-1);
  if (last !== undefined && areEqual(last[0], one)) last.push(one);
  else classes.push([one]);
}

/** What readers of Arabic script take for the same letter, although the collation does not. */
const VARIANTS = ['يىیۦ', 'كکڪ'];
const targets = new Map();
const equate = (members) => {
  const forms = new Map();
  for (const one of members) {
    const voiceless = simplified(one).replace(/[\u3099\u309a]/g, '');
    forms.set(voiceless, (forms.get(voiceless) ?? 0) + 1);
  }
  const latinForm = [...forms.keys()].find((form) => /^[a-z]{1,2}$/.test(form));
  const [common] = [...forms].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0];
  const target = latinForm ?? common;
  for (const form of forms.keys()) {
    if (form === target || [...form].length !== 1) continue;
    targets.set(form, target);
  }
};
classes.filter((members) => members.length > 1).forEach(equate);
for (const variants of VARIANTS) {
  const [first] = variants;
  const target = targets.get(first) ?? first;
  for (const one of variants) if (one !== target) targets.set(one, target);
  for (const [from, to] of targets)
    if (from !== target && [...variants].includes(to)) targets.set(from, target);
}
targets.delete([...VARIANTS.flatMap((one) => [...one])].find((one) => targets.get(one) === one));

const sources = new Map();
for (const [from, to] of targets) sources.set(to, [...(sources.get(to) ?? []), from]);
const byCode = (a, b) => a.codePointAt(0) - b.codePointAt(0);
const hex = (one) => one.codePointAt(0).toString(16);
function rangesOf(characters) {
  const ranges = [];
  for (const one of characters) {
    const last = ranges.at(-1);
    if (last !== undefined && one.codePointAt(0) === last[1].codePointAt(0) + 1) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`));
}
const zeros = all.filter((one) => /\p{Nd}/u.test(one) && one > '\x7f' && one.normalize('NFKC') === one);
const firstOfTen = zeros.filter((_, index) => index % 10 === 0);
// The digits of a script are ten characters in a row, from 0 on.
if (
  zeros.some(
    (one, index) => one.codePointAt(0) !== firstOfTen[Math.floor(index / 10)].codePointAt(0) + (index % 10),
  )
)
  throw new Error('The digits of each script must stand in a row.');

function wrapped(items, separator) {
  const lines = [''];
  for (const item of items) {
    if (`${lines.at(-1)}${separator}${item}`.length > 110) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : separator}${item}`;
  }
  return lines.map((line, index) => `  '${line}${index < lines.length - 1 ? separator : ''}'`).join(' +\n');
}

const lines = [...sources]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([to, from]) => `${to}:${from.sort(byCode).join('')}`);

process.stdout
  .write(`// Made by scripts/make-fold-table.mjs from Unicode ${process.versions.unicode}: do not edit.

/** Marks and letters that words are compared without, as ranges of code points. */
export const REMOVED =
${wrapped(rangesOf([...removedMarks, ...removedLetters].sort(byCode)), ' ')};

/** Letters that differ from their base letter, although their mark is one of those. */
export const WHOLE = '${whole.join('')}';

/** Letters that are compared as others: before the colon what they are compared as, after it the letters. */
export const EQUAL =
${wrapped(lines, ' ')};

/** The digit zero of each script. The other nine follow it. */
export const ZEROS =
${wrapped(firstOfTen.map(hex), ' ')};
`);
