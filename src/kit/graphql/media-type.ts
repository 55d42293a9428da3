/**
 * Whether a client reads `application/json` only, as those older than `application/graphql-response+json` do. Such a
 * client learns from the body, not from the status, that its query was refused: 200 (GraphQL over HTTP, appendix A).
 */
export function readsJsonOnly(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    accept.includes('application/json') &&
    !accept.includes('application/graphql-response+json')
  );
}
