/**
 * Whether a client reads `application/json` only, as clients from before `application/graphql-response+json` do. Such a client
 * learns from the body that its query was refused, and expects the status 200 (GraphQL over HTTP, appendix A).
 */
export function readsJsonOnly(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    accept.includes('application/json') &&
    !accept.includes('application/graphql-response+json')
  );
}
