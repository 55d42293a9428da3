import { Link } from 'wouter';
import { graphql, readFragment, type FragmentType } from '../gql';

export const PERSON = graphql(`
  fragment Person on User {
    id
    username
    name
  }
`);

interface PersonProps {
  readonly person: FragmentType<typeof PERSON>;
}

/** A circle with somebody's initial, in a colour that belongs to the username. */
export function Avatar({ person }: PersonProps) {
  const { username, name } = readFragment(PERSON, person);
  let hue = 0;
  for (const character of username) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return (
    <span className="avatar" style={{ '--hue': hue } as React.CSSProperties} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

/** Somebody's name, which leads to their profile. `bdi` keeps a name in another direction from turning what stands beside it. */
export function PersonName({ person }: PersonProps) {
  const { username, name } = readFragment(PERSON, person);
  return (
    <Link href={`/user/${username}`} className="person">
      <bdi className="name">{name}</bdi> <span className="handle">@{username}</span>
    </Link>
  );
}
