import { useQuery } from '@apollo/client/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Costs } from '../api/costs';
import { useNotified } from '../api/notified';
import type { Session } from '../api/session';
import { graphql } from '../gql';
import { CostPanel } from './CostPanel';
import { Icon, type IconName } from './Icon';

const BADGE = graphql(`
  query Badge {
    viewer {
      id
      unreadNotifications {
        count
        isCapped
      }
    }
  }
`);

interface ShellProps {
  readonly session: Session;
  readonly costs: Costs;
  onSignOut(): void;
  readonly children: ReactNode;
}

/** What is around every screen: the way to the others, the badge, and what the screen has read. */
export function Shell({ session, costs, onSignOut, children }: ShellProps) {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const [isCostShown, setCostShown] = useState(false);
  const { data, refetch } = useQuery(BADGE, { fetchPolicy: 'cache-and-network' });
  // The event says that there is something; the badge says how much, so that it always equals the list.
  useNotified(() => void refetch());
  useEffect(() => {
    costs.clear();
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [location, costs]);
  const unread = data?.viewer?.unreadNotifications;
  const badge = unread && unread.count > 0 ? `${unread.count}${unread.isCapped ? '+' : ''}` : null;
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={(event) => focusMain(event, main.current)}>
        Skip to content
      </a>
      <header className="side">
        <p className="brand" aria-label="Murmuration">
          <Icon name="birds" /> <span>Murmuration</span>
        </p>
        <nav aria-label="Screens">
          <NavLink to="/" icon="home" label="Home" />
          <NavLink to="/notifications" icon="bell" label="Notifications" badge={badge} />
          <NavLink to="/search" icon="search" label="Search" />
          <NavLink to={`/user/${session.username}`} icon="person" label="Profile" />
        </nav>
        <div className="side-end">
          <button
            type="button"
            className="quiet"
            aria-pressed={isCostShown}
            onClick={() => {
              costs.show(!isCostShown);
              setCostShown(!isCostShown);
            }}
          >
            <Icon name="meter" /> <span>What it read</span>
          </button>
          <button type="button" className="quiet" onClick={onSignOut}>
            <Icon name="leave" /> <span>Sign out @{session.username}</span>
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      {isCostShown && <CostPanel costs={costs} />}
    </div>
  );
}

/** The page's path is in the fragment, so the link must not change it. */
function focusMain(event: { preventDefault(): void }, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

interface NavLinkProps {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  readonly badge?: string | null;
}

function NavLink({ to, icon, label, badge }: NavLinkProps) {
  const [location] = useLocation();
  const isHere = to === '/' ? location === '/' : location.startsWith(to);
  return (
    <Link href={to} className="nav" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {badge && (
        <span className="badge">
          {badge}
          <span className="unseen"> unread</span>
        </span>
      )}
    </Link>
  );
}
