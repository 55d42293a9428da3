import type { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralName,
  type X509Certificate,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate and its key, in PEM format. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate is for, and until when it is valid, in days from now. */
export interface Wanted {
  readonly names: readonly JsonGeneralName[];
  readonly validForDays?: number;
}

/** Signs certificates that hold for a day, so that none is committed and expires. */
export interface Authority {
  /** Its own certificate, in PEM format. */
  readonly ca: string;
  sign(wanted: Wanted): Promise<Identity>;
}

/** Creates a certificate authority. */
export async function createAuthority(name: string): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const own = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 10 * DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  });
  return { ca: own.toString('pem'), sign: (wanted) => sign(own, keys.privateKey, wanted) };
}

async function sign(
  issuer: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  { names, validForDays = 1 }: Wanted,
): Promise<Identity> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=node',
    issuer: issuer.subject,
    notBefore: new Date(Date.now() - 9 * DAY_MS),
    notAfter: new Date(Date.now() + validForDays * DAY_MS),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([...names])],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
}
