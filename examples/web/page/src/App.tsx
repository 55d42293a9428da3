import { ApolloProvider } from '@apollo/client/react';
import { useCallback, useEffect, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { createApi, type Api } from './api/client';
import { apiAddress, storeSession, storedSession, type Session } from './api/session';
import { Shell } from './components/Shell';
import { Home } from './screens/Home';
import { Notifications } from './screens/Notifications';
import { Profile } from './screens/Profile';
import { Search } from './screens/Search';
import { SignIn } from './screens/SignIn';
import { Thread } from './screens/Thread';

export function App() {
  const [session, setSession] = useState(storedSession);
  const change = useCallback((next: Session | null) => {
    storeSession(next);
    setSession(next);
  }, []);
  const signOut = useCallback(() => change(null), [change]);
  const api = useApi(session, signOut);
  if (session === null) return <SignIn onSignedIn={change} />;
  if (api === null) return null;
  return (
    <ApolloProvider client={api.client}>
      {/* The path is in the fragment, so any server of files can serve the page. */}
      <Router hook={useHashLocation}>
        <Shell session={session} costs={api.costs} onSignOut={signOut}>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/notifications" component={Notifications} />
            <Route path="/search">
              <Search />
            </Route>
            <Route path="/search/:words" component={SearchOfAddress} />
            <Route path="/tweet/:id">{({ id }) => <Thread key={id} tweetId={id} />}</Route>
            <Route path="/user/:name">{({ name }) => <Profile key={name} username={name} />}</Route>
            <Route>
              <p className="note">There is nothing at this address.</p>
            </Route>
          </Switch>
        </Shell>
      </Router>
    </ApolloProvider>
  );
}

/** The search that the address names. The router has decoded the path in part, so the words are read from what it was made of. */
function SearchOfAddress() {
  const [path] = useHashLocation();
  return <Search words={decode(path.slice('/search/'.length))} />;
}

/** Decodes a part of an address; an address that somebody typed may not be encoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Creates the client of whoever is signed in, and ends it when they sign out. */
function useApi(session: Session | null, signOut: () => void): Api | null {
  const [api, setApi] = useState<Api | null>(null);
  useEffect(() => {
    if (session === null) return;
    let created: Api | undefined;
    let isOver = false;
    void apiAddress().then((address) => {
      if (isOver) return;
      created = createApi(address, session, signOut);
      setApi(created);
    });
    return () => {
      isOver = true;
      created?.close();
      setApi(null);
    };
  }, [session, signOut]);
  return api;
}
