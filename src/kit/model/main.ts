import { resolve } from 'node:path';
import type { ModelSource } from './model';
import { writeModel } from './write';

/** `npm run model`: writes the `model` of each named module into the folder that is named after it. */
async function main([module, folder, ...others]: readonly string[]): Promise<void> {
  if (module === undefined || folder === undefined) return;
  const { model } = (await import(resolve(module))) as { model: ModelSource };
  await writeModel(model, folder);
  await main(others);
}

void main(process.argv.slice(2));
