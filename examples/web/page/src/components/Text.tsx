import { Link } from 'wouter';

/** The text of a tweet, whose mentions and hashtags lead on. */
export function Text({ content }: { readonly content: string }) {
  return (
    <p className="text" dir="auto">
      {content.split(/([@#][\p{L}\p{M}\p{N}_]+)/u).map((part, index) => {
        if (index % 2 === 0) return part;
        const href = part.startsWith('@') ? `/user/${part.slice(1)}` : `/search/${encodeURIComponent(part)}`;
        return (
          <Link key={index} href={href}>
            {part}
          </Link>
        );
      })}
    </p>
  );
}
