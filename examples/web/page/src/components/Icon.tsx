/** The lines of each icon, in a square of 24. */
const PATHS = {
  birds: 'M2 9c3-3 5-3 7 0 2-3 4-3 7 0M10 16c2.500-2.500 4.500-2.500 6 0 1.500-2.500 3.500-2.500 6 0',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  search: 'M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13M15.500 15.500 20 20',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4 21c.8-5 4-7 8-7s7.200 2 8 7',
  meter: 'M4 18a9 9 0 1 1 16 0M12 15l4-5',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  reply: 'M4 5h16v11H11l-4 4v-4H4z',
  share: 'M7 5v11h10M4 8l3-3 3 3M17 19V8M14 16l3 3 3-3',
  like: 'M12 20C5 15 3 12 3 9a4.500 4.500 0 0 1 9-1 4.500 4.500 0 0 1 9 1c0 3-2 6-9 11z',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words that say the same, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
