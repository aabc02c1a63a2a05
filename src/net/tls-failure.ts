import { connectionFailure, handshakeFailed } from '../core/cause.ts'
import { codeOf } from './own-trouble.ts'

/** OpenSSL's reasons that a person would not understand, without the prefixes that OPENSSL_PREFIX removes. */
const READABLE: Record<string, string> = {
  'wrong version number': 'the answer is not TLS',
  'packet length too long': 'the answer is not TLS',
  'unsupported protocol': 'the server speaks only versions older than TLS 1.2',
  'protocol version': 'the server accepts no version of TLS from 1.2 on',
  'handshake failure': 'the server refused (handshake failure)',
  'unrecognized name': 'the server does not know this name (unrecognized name)',
  'internal error': 'the server reports an internal error',
  'certificate required': 'the server asks for a client certificate',
}

const OPENSSL_PREFIX = /^(ssl\/tls|sslv3|tlsv1|tlsv13) (alert )?/

/** What ended a handshake, or a session right after it. `endpoint` as from addressAndPort. */
export function tlsFailure(error: Error, endpoint: string): string {
  if (isOpenSsl(error)) {
    const reason = ('reason' in error ? String(error.reason) : 'unknown error').replace(OPENSSL_PREFIX, '')
    return handshakeFailed(READABLE[reason] ?? reason)
  }
  if ('syscall' in error) return handshakeFailed(connectionFailure(codeOf(error), [endpoint]))
  return handshakeFailed('the connection was closed')
}

export function isOpenSsl(error: Error): boolean {
  return codeOf(error).startsWith('ERR_SSL_')
}
