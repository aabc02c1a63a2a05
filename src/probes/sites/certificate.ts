import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { formatInstant } from '../../core/instant.ts'
import { shownLine } from '../../core/language/hidden-characters.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { parseTarget } from '../../core/monitors/target.ts'
import { MAX_CHAIN } from '../../core/sites/certificate.ts'
import type { ShownCertificate } from '../../core/sites/shown-site.ts'
import type { Network } from '../../net/network.ts'
import { answered, attempt } from '../attempt.ts'
import { connectSecurely } from '../connect.ts'
import type { Probe } from '../probe.ts'

const HTTPS_PORT = 443
const MAX_NAMES = 100
const MAX_TEXT_LENGTH = 300

/** A result with the chain that the server showed; empty for one that is refused. */
export type ChainResult = CheckResult & { chain?: ShownCertificate[] }

/** The probe of certificates, which keeps the whole chain. */
export function createChainProbe(network: Network): Probe<'ssl'> {
  return (settings, signal) =>
    attempt(network, settings, signal, async (current): Promise<ChainResult> => {
      const url = parseTarget(settings.url)
      const connected = await connectSecurely(
        current,
        { kind: 'check', url, port: Number(url?.port || HTTPS_PORT) },
        null,
      )
      if (connected.kind === 'ended') return connected.result
      const chain = readChain(connected.socket as TLSSocket)
      connected.socket.destroy()
      return { ...answered(current, null), chain }
    })
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
