import type { List, Visible } from './list-parts';
import type { PageHiding } from './node';

/** Leaves out of a list further rows that are hidden from the caller. */
export function hideRows<R>(list: List<R>, { learn, hides }: PageHiding<R>): List<R> {
  const { shown } = list;
  return {
    ...list,
    async learn(rows) {
      await list.learn?.(rows);
      await learn(rows);
    },
    shown(row, checks) {
      const visible = shown ? shown(row, checks) : true;
      const decide = (decided: Visible): Visible => (decided === true && hides(row) ? 'hidden' : decided);
      return visible instanceof Promise ? visible.then(decide) : decide(visible);
    },
  };
}
