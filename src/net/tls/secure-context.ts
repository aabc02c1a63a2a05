import { hash } from 'node:crypto'
import tls, { type SecureContext } from 'node:tls'
import { putLast } from '../../core/bounded-map.ts'

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

/** Authorities and a certificate of our own, in PEM. */
export type Credentials = {
  /** Trusted besides all others. */
  ca?: string | undefined
  certificate?: string | undefined
  key?: string | undefined
  /** The last version of TLS that the other side may choose, if not the newest. */
  maxVersion?: 'TLSv1.2' | undefined
}

/** Those of all connections, and such as monitors want. */
export type AllContexts = SecureContexts & { with(credentials: Credentials): SecureContexts }

/** Contexts with credentials that are kept: adding an authority costs 10 ms. */
const MAX_KEPT = 100

/** `extraAuthorities`: in PEM. Contexts are created on first use. */
export function createSecureContexts(extraAuthorities: readonly string[]): AllContexts {
  const kept = new Map<string, SecureContexts>()
  return {
    ...createPair(extraAuthorities, {}),
    with(credentials) {
      const { ca, certificate, key, maxVersion } = credentials
      const name = hash('sha256', JSON.stringify([ca, certificate, key, maxVersion]))
      const contexts = kept.get(name) ?? createPair(extraAuthorities, credentials)
      putLast(kept, name, contexts, MAX_KEPT)
      return contexts
    },
  }
}

/** One context for nearly all handshakes and one for odd servers. */
function createPair(extraAuthorities: readonly string[], credentials: Credentials): SecureContexts {
  const usual = createOnce(USUAL_CURVES, extraAuthorities, credentials)
  // Before TLS 1.3 the curve of a certificate must be among them as well.
  const curves = credentials.maxVersion === undefined ? OTHER_CURVES : `${OTHER_CURVES}:${USUAL_CURVES}`
  const other = createOnce(curves, extraAuthorities, credentials)
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

function createOnce(
  curves: string,
  extraAuthorities: readonly string[],
  { ca, certificate, key, maxVersion }: Credentials,
): () => SecureContext {
  const authorities = ca === undefined ? extraAuthorities : [...extraAuthorities, ca]
  let context: SecureContext | null = null
  return () => {
    context ??= tls.createSecureContext({
      ecdhCurve: curves,
      ciphers: CIPHERS,
      ...(authorities.length > 0 && { ca: [...tls.getCACertificates('default'), ...authorities] }),
      ...(maxVersion !== undefined && { maxVersion }),
      ...(certificate !== undefined && { cert: certificate, key }),
    })
    return context
  }
}
