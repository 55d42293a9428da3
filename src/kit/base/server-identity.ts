import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Returns why a certificate is not that of a server which is known by one of some names or addresses; undefined if it is. `hint`
 * names the setting that can be wrong.
 */
export function checkIdentity(
  names: readonly string[],
  certificate: PeerCertificate,
  hint: string,
): Error | undefined {
  if (names.some((name) => checkServerIdentity(name, certificate) === undefined)) return undefined;
  const found = certificate.subjectaltname ?? 'nothing';
  return new Error(
    `the certificate of the server must be for ${names.join(' or ')}, but it is for ${found} (see ${hint})`,
  );
}
