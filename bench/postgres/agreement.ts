import { bodyOf } from '../discovery/questions';
import { say } from '../measure';
import { ourVariables, type Rival } from './rivals';

type Values = Readonly<Record<string, unknown>>;

/** The port and the headers for requests to each side. */
export interface Sides {
  readonly ours: { readonly port: number; readonly headers: Readonly<Record<string, string>> };
  readonly theirs: { readonly port: number; readonly headers: Readonly<Record<string, string>> };
}

/** Counts the answers in which both sides agree, as "9 of 10". Prints each difference. */
export async function agreementOn(rival: Rival, sides: Sides, drawn: readonly Values[]): Promise<string> {
  if (rival.agree === null) return 'not meant to';
  let same = 0;
  for (const values of drawn) {
    const [ours, theirs] = await Promise.all([
      ask(rival.name, sides.ours, bodyOf(rival.ours, ourVariables(values))),
      ask(rival.name, sides.theirs, bodyOf(rival, rival.variables(values))),
    ]);
    const [mine, others] = [rival.agree(ours), rival.agree(theirs)].map((answer) => JSON.stringify(answer));
    if (mine === others) same++;
    else say(`${rival.name} of ${JSON.stringify(values)}:\n  ours ${mine}\n  theirs ${others}`);
  }
  return `${same} of ${drawn.length}`;
}

async function ask(name: string, { port, headers }: Sides['ours'], body: string): Promise<readonly Values[]> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { data?: unknown; errors?: unknown };
  if (answer.errors !== undefined)
    throw new Error(`${name} must be answered, but got: ${JSON.stringify(answer.errors)}`);
  return listIn(answer.data);
}

/** The first list of objects in an answer. */
function listIn(answer: unknown): readonly Values[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if (Array.isArray(answer)) return answer as Values[];
  for (const value of Object.values(answer)) {
    const list = listIn(value);
    if (list.length > 0) return list;
  }
  return [];
}
