/** Somebody whose act a notification tells. */
export interface Actor {
  readonly actorId: string;
  /** When it was done. */
  readonly at: Date;
}

/** An actor, as a row of a list has it. */
export function encodeActor({ actorId, at }: Actor): string {
  return `${actorId} ${at.getTime()}`;
}

/** The actors in such a row, newest act first. */
export function actorsIn({ actors }: { readonly actors: readonly string[] | null }): Actor[] {
  return (actors ?? []).map((encoded) => {
    const [actorId = '', at = ''] = encoded.split(' ');
    return { actorId, at: new Date(Number(at)) };
  });
}
