import { connectionFailure, handshakeFailed } from '../../core/monitors/cause.ts'
import { codeOf } from '../own-trouble.ts'

const NO_CLIENT_CERTIFICATE = 'the server asks for a client certificate'

/** Readable wording for OpenSSL's cryptic reasons, keyed without the prefixes that OPENSSL_PREFIX removes. */
const READABLE: Record<string, string> = {
  'wrong version number': 'the answer is not TLS',
  'packet length too long': 'the answer is not TLS',
  'unsupported protocol': 'the server speaks only versions older than TLS 1.2',
  'protocol version': 'the server accepts no version of TLS from 1.2 on',
  'handshake failure': 'the server refused (handshake failure)',
  'unrecognized name': 'the server does not know this name (unrecognized name)',
  'internal error': 'the server reports an internal error',
  'certificate required': NO_CLIENT_CERTIFICATE,
  // The only certificate these can be about is the client's.
  'bad certificate': NO_CLIENT_CERTIFICATE,
  'certificate unknown': NO_CLIENT_CERTIFICATE,
}

const REFUSALS = ['handshake failure', 'insufficient security']

const OPENSSL_PREFIX = /^(ssl\/tls|sslv3|tlsv1|tlsv13) (alert )?/

const OURS_REFUSED = 'the server refuses the client certificate'
/** Alerts that are about a client certificate. */
const OF_OURS = [
  'bad certificate',
  'certificate unknown',
  'unknown ca',
  'certificate expired',
  'certificate revoked',
  'unsupported certificate',
  'access denied',
  'certificate required',
]

/** Whether the server asked for a client certificate, and whether it was given one. */
export type ClientCertificate = { isWanted?: boolean; isSent?: boolean }

/**
 * Describes the error that ended a handshake, or a session right after it. `endpoint` comes from addressAndPort.
 * Before TLS 1.3 the only way of a server to say that it wants a client certificate is to fail the handshake.
 */
export function tlsFailure(
  error: Error,
  endpoint: string,
  { isWanted = false, isSent = false }: ClientCertificate = {},
): string {
  if (isOpenSsl(error)) {
    const reason = reasonOf(error)
    if (isSent && OF_OURS.includes(reason)) return handshakeFailed(`${OURS_REFUSED} (${reason})`)
    if (isSent && isWanted && reason === 'handshake failure') return handshakeFailed(OURS_REFUSED)
    if (isWanted && reason === 'handshake failure') return handshakeFailed(NO_CLIENT_CERTIFICATE)
    return handshakeFailed(READABLE[reason] ?? reason)
  }
  if ('syscall' in error) return handshakeFailed(connectionFailure(codeOf(error), [endpoint]))
  return handshakeFailed('the connection was closed')
}

/** Whether the server found nothing acceptable in what we offered (RFC 8446, section 4.1.1). */
export function isRefusal(error: Error): boolean {
  return isOpenSsl(error) && REFUSALS.includes(reasonOf(error))
}

function reasonOf(error: Error): string {
  return ('reason' in error ? String(error.reason) : 'unknown error').replace(OPENSSL_PREFIX, '')
}

export function isOpenSsl(error: Error): boolean {
  return codeOf(error).startsWith('ERR_SSL_')
}
