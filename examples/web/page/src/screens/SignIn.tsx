import { useEffect, useState, type FormEvent } from 'react';
import { Icon } from '../components/Icon';
import { peopleToBegin, signIn, type Session } from '../api/session';

export function SignIn({ onSignedIn }: { onSignedIn(session: Session): void }) {
  const [username, setUsername] = useState('ada');
  const [error, setError] = useState<string>();
  const [people, setPeople] = useState<readonly string[]>([]);
  useEffect(() => {
    void peopleToBegin().then(setPeople);
  }, []);

  async function enter(name: string): Promise<void> {
    try {
      onSignedIn(await signIn(name));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  }

  return (
    <main className="sign-in">
      <h1>
        <Icon name="birds" /> Murmuration
      </h1>
      <p>Timelines, threads, notifications and search of the demo network. Sign in as anybody.</p>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void enter(username);
        }}
      >
        <label htmlFor="username">Username</label>
        <input
          id="username"
          value={username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setUsername(event.target.value)}
        />
        <button type="submit">Sign in</button>
      </form>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
      {people.length > 0 && (
        <p className="note">
          For example{' '}
          {people.map((name) => (
            <button key={name} type="button" className="quiet" onClick={() => void enter(name)}>
              @{name}
            </button>
          ))}
        </p>
      )}
    </main>
  );
}
