import { createPrivateKey, X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { SentOptions } from '../../core/monitors/options/monitor-options.ts'

/** Refuses certificates and keys that no check could use. Masks stand for what was stored, and must be replaced before. */
export function refuseUnusableTls(options: SentOptions | null | undefined): void {
  const { ca, client_certificate, client_key } = options?.tls ?? {}
  const faults: Record<string, Said[]> = {}
  if (ca !== undefined && !areCertificates(ca)) faults['options.tls.ca'] = [NO_CERTIFICATE]
  if (client_certificate !== undefined && !areCertificates(client_certificate))
    faults['options.tls.client_certificate'] = [NO_CERTIFICATE]
  else if (client_certificate !== undefined && client_key !== undefined) {
    const fault = keyFault(client_certificate, client_key)
    if (fault) faults['options.tls.client_key'] = [fault]
  }
  if (Object.keys(faults).length > 0) throw Refusal.invalid(faults)
}

const NO_CERTIFICATE = said('cannot be read as certificates in PEM')
const BLOCKS = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function areCertificates(pem: string): boolean {
  const blocks = pem.match(BLOCKS) ?? []
  return blocks.length > 0 && blocks.every((block) => attempted(() => new X509Certificate(block)) !== null)
}

function keyFault(certificate: string, key: string): Said | null {
  const read = attempted(() => createPrivateKey(key))
  if (read === null) return said('cannot be read as a private key in PEM without a passphrase')
  if (!new X509Certificate(certificate).checkPrivateKey(read))
    return said('must be the key of the client certificate')
  // OpenSSL refuses more at its level of security, such as RSA of 1,024 bits.
  const usable = attempted(() => tls.createSecureContext({ cert: certificate, key }))
  return usable === null ? said('is too weak, or of a kind that is not supported') : null
}

function attempted<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
