const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** How long ago a moment was; the moment itself on hover and for programs. */
export function Time({ at }: { readonly at: string }) {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return (
    <time dateTime={at} title={new Date(at).toLocaleString('en')}>
      {relative.format(Math.round(seconds / length), unit)}
    </time>
  );
}
