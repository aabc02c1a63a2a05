/** Node writes this before the session, then the length of the name that the server was asked for, and that name. */
const NODES_PREFIX = Buffer.from('\0nodejs:tls:session:1\0')
const NAME_LENGTH_BYTES = 2
const SEQUENCE = 0x30
/** `[3] EXPLICIT` */
const PEER = 0xa3
const MAX_LENGTH_BYTES = 3

type Field = { tag: number; from: number; to: number }

/**
 * The peer's certificate (DER) in a TLS session as OpenSSL writes it (`SSL_SESSION_ASN1` of ssl/ssl_asn1.c), without
 * copying; null when it is not where it should be. Node's own answer, an object with a copy of the certificate, costs a
 * check 45 µs with what the garbage collector has to do about it.
 */
export function certificateIn(session: Buffer): Buffer | null {
  const whole = fieldAt(session, startOf(session))
  if (whole?.tag !== SEQUENCE) return null
  for (let field = fieldAt(session, whole.from); field !== null; field = fieldAt(session, field.to))
    if (field.tag === PEER) return session.subarray(field.from, field.to)
  return null
}

function startOf(session: Buffer): number {
  const nameAt = NODES_PREFIX.length + NAME_LENGTH_BYTES
  const hasName = session.length >= nameAt && NODES_PREFIX.compare(session, 0, NODES_PREFIX.length) === 0
  return hasName ? nameAt + session.readUInt16BE(NODES_PREFIX.length) : 0
}

/** One field in DER (X.690, section 8.1): its tag and where its contents are; null when the bytes end before it. */
function fieldAt(bytes: Buffer, at: number): Field | null {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return null
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  const from = at + 2 + lengthBytes
  if (first === 0x80 || lengthBytes > MAX_LENGTH_BYTES || from > bytes.length) return null
  const to = from + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes))
  return to <= bytes.length ? { tag, from, to } : null
}
