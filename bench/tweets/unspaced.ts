import { rankAmong } from './vocabulary';

/** How many Han letters there are. The commonest 2,000 make up nearly all of Japanese and Chinese texts. */
const HAN = 2000;
const HAN_FROM = 0x4e00;
const KATAKANA = Array.from(
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー',
);
const PARTICLES = Array.from('のはをにがとでも');

/** The word of a rank, as of Japanese: two Han letters, or three to six of katakana. */
export function unspacedWordAt(rank: number): string {
  if (rank % 5 < 3)
    return [7919, 104_729].map((prime) => String.fromCodePoint(HAN_FROM + ((rank * prime) % HAN))).join('');
  return Array.from({ length: 3 + (rank % 4) }, (_, n) => {
    // Any other letter for each place, the same for the same rank.
    const at = (rank * (n + 1) * 7919 + n * 31) % KATAKANA.length;
    return KATAKANA[at] ?? 'ア';
  }).join('');
}

/** A text of words of scripts without spaces, with particles between them. */
export function unspacedText(ranks: readonly number[], random: () => number): string {
  const particle = () => PARTICLES[rankAmong(0, PARTICLES.length - 1, random)] ?? 'の';
  return `${ranks.map((rank) => unspacedWordAt(rank) + particle()).join('')}。`;
}
