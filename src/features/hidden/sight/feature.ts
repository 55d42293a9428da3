import type { Feature } from '../../feature';
import { hiddenByUser } from '../hidden.table';
import { HiddenResolver } from './hidden.resolver';
import { OwnHiddenResolver } from './own-hidden.resolver';
import { QuotedResolver } from './quoted.resolver';

/** The means by which users hide things: blocks, mutes and muted words. */
export const hiddenFeature: Feature = {
  title: 'Blocks and mutes',
  tables: [hiddenByUser],
  resolvers: [HiddenResolver, QuotedResolver, OwnHiddenResolver],
};
