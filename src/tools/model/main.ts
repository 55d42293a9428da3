import { resolve } from 'node:path';
import type { ModelSource } from './model';
import { writeModel } from './write';

/** `npm run model`: takes triples of a module, the name of its exported source and a folder, and writes each model to its folder. */
async function main([module, name, folder, ...others]: readonly string[]): Promise<void> {
  if (module === undefined || name === undefined || folder === undefined) return;
  const exported = (await import(resolve(module))) as Readonly<Record<string, ModelSource>>;
  if (exported[name]) writeModel(exported[name], folder);
  await main(others);
}

void main(process.argv.slice(2));
