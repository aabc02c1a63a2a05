import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { formatInstant } from '../../core/instant.ts'
import { shownLine } from '../../core/language/hidden-characters.ts'
import type { SeenEncryption } from '../../core/monitors/incidents/target-look.ts'
import { MAX_CHAIN } from '../../core/sites/certificate.ts'
import type { ShownCertificate } from '../../core/sites/shown-site.ts'
import type { SecureResult } from '../../net/tls/tls.ts'

const MAX_NAMES = 100
const MAX_TEXT_LENGTH = 300

/** All that a handshake shows, trusted or not, while its socket is open. Null where trouble of ours kept it from us. */
export function readEncryption(secured: SecureResult, signal: AbortSignal): SeenEncryption | null {
  if (secured.kind === 'inconclusive') return null
  if (secured.kind === 'failed')
    return {
      kind: 'failed',
      reason: signal.aborted ? 'the handshake was not answered in time' : secured.reason,
    }
  const { socket, refusal } = secured
  return {
    kind: 'spoken',
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.standardName ?? null,
    chain: readChain(socket),
    refusal,
  }
}

/** The certificates from the leaf to the authority, as far as they are known. */
export function readChain(socket: TLSSocket): ShownCertificate[] {
  const chain: ShownCertificate[] = []
  let certificate = socket.getPeerX509Certificate()
  while (certificate && chain.length < MAX_CHAIN) {
    chain.push(shown(certificate))
    const above: X509Certificate | undefined = certificate.issuerCertificate
    if (!above || above.fingerprint256 === certificate.fingerprint256) break
    certificate = above
  }
  return chain
}

function shown(certificate: X509Certificate): ShownCertificate {
  const { subject, issuer, subjectAltName = '', validToDate, fingerprint256 } = certificate
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: (subjectAltName.match(/(?<=(?:DNS|IP Address):)[^,\s]+/g) ?? [])
      .slice(0, MAX_NAMES)
      .map(printable),
    expires_at: formatInstant(validToDate),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

/** The common name and the organization, or all that there is. */
function nameOf(distinguished = ''): string {
  const lines = distinguished.split('\n')
  const part = (key: string) => lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1)
  const named = [part('CN'), part('O')].filter((text) => text !== undefined)
  return printable(named.length > 0 ? named.join(', ') : lines.join(', '))
}

function printable(text: string): string {
  return shownLine(text.toWellFormed().replace(/\p{Cc}/gu, '\u{fffd}')).slice(0, MAX_TEXT_LENGTH)
}
