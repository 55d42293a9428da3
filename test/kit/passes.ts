import { createGate, type Pass } from '../../src/kit/reads/gate';

const gate = createGate({ maxInFlight: 1, maxPerRequest: 1 });
const passes: Pass[] = [];
afterEach(() => {
  for (const pass of passes.splice(0)) pass.close();
});

/** Opens the pass of a request, which is closed after the test. */
export function openPass(): Pass {
  const pass = gate.openPass(60_000);
  passes.push(pass);
  return pass;
}
