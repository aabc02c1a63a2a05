import tls, { type SecureContext } from 'node:tls'

/**
 * Key exchanges that servers have in common. The first one's key share is sent at once. Hybrid ones stay out: a server
 * that prefers them asks for a second hello with the large key share, which costs a round trip and 170 µs of CPU.
 */
const USUAL_CURVES = 'X25519:P-256:P-384:P-521'
/** Servers that accept none of those get these. */
const OTHER_CURVES = 'X25519MLKEM768:SecP256r1MLKEM768:SecP384r1MLKEM1024:MLKEM1024:X448'
/** Most processors have instructions for its SHA-256, and none for SHA-384, which costs 35 µs more. */
const FIRST_CIPHER = 'TLS_AES_128_GCM_SHA256'
/** All that Node offers, for servers that leave the choice to us. */
const CIPHERS = tls.DEFAULT_CIPHERS.split(':')
  .toSorted((one, other) => Number(other === FIRST_CIPHER) - Number(one === FIRST_CIPHER))
  .join(':')

/** More servers than will ever want the other ones. */
const MAX_REMEMBERED = 1_000

/** `server` is a host name and the address that it was dialed at. */
export type SecureContexts = {
  /** The context that the server accepted last; after its refusal, the other one. */
  of(server: string, after?: 'refusal'): SecureContext
  /** Remembers that the server refused one context and accepted the other. */
  swap(server: string): void
}

/** One context for nearly all handshakes and one for odd servers, created on first use: adding one authority costs 10 ms. */
export function createSecureContexts(extraAuthorities: readonly string[]): SecureContexts {
  const usual = createOnce(USUAL_CURVES, extraAuthorities)
  const other = createOnce(OTHER_CURVES, extraAuthorities)
  const wantOther = new Set<string>()
  return {
    of: (server, after) => (wantOther.has(server) === (after === undefined) ? other() : usual()),
    swap(server) {
      if (wantOther.delete(server)) return
      if (wantOther.size === MAX_REMEMBERED) wantOther.clear()
      wantOther.add(server)
    },
  }
}

function createOnce(curves: string, extraAuthorities: readonly string[]): () => SecureContext {
  let context: SecureContext | null = null
  return () => {
    context ??= tls.createSecureContext({
      ecdhCurve: curves,
      ciphers: CIPHERS,
      ...(extraAuthorities.length > 0 && {
        ca: [...tls.getCACertificates('default'), ...extraAuthorities],
      }),
    })
    return context
  }
}
