import { useEffect, useRef } from 'react';

interface MoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  load(): void;
}

/** Loads the next page when the end of a list comes near; a button does the same for those who do not scroll. */
export function More({ hasMore, isLoading, load }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(load);
  latest.current = load;
  const isReady = hasMore && !isLoading;
  useEffect(() => {
    if (!isReady || end.current === null) return;
    // A new observer tells at once whether the end is near, also after a page that was short or empty.
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isReady]);
  return (
    <div ref={end} className="more">
      {hasMore ? (
        <button type="button" className="quiet" disabled={isLoading} onClick={load}>
          {isLoading ? 'Loading…' : 'Show more'}
        </button>
      ) : (
        <p className="note">That is all.</p>
      )}
    </div>
  );
}

/** What a screen shows while its first page is on its way, or when it cannot be read. */
export function Waiting({ error }: { readonly error?: string | undefined }) {
  return error ? (
    <p className="error" role="alert">
      {error}
    </p>
  ) : (
    <p className="note" role="status">
      Loading…
    </p>
  );
}
