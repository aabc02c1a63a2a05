import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

export type ScramHash = 'sha1' | 'sha256' | 'sha512'

/** A server that wants more only keeps us busy: PostgreSQL and MongoDB want 4,096 and 15,000. */
const MAX_ITERATIONS = 200_000
const NONCE_BYTES = 18
/** `n,,`: this side knows nothing of channel binding (RFC 5802, section 7). */
const NO_BINDING = 'n,,'
const NO_BINDING_BASE64 = 'biws'

const derive = promisify(pbkdf2)

/** One sign-in by SCRAM (RFC 5802, RFC 7677), from our side. */
export type Scram = {
  first: string
  /** The answer to the server's first message; null for a message that is none. */
  final(serverFirst: string): Promise<string | null>
  /** Whether the server's last message shows that it knows the password, too. */
  isProven(serverFinal: string): boolean
}

export function createScram(
  hash: ScramHash,
  { name, password }: { name: string; password: string },
  nonce = randomBytes(NONCE_BYTES).toString('base64'),
): Scram {
  const hmac = (key: Uint8Array, text: string) => createHmac(hash, key).update(text).digest()
  const bare = `n=${name.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`
  let serverSignature: Buffer | null = null
  return {
    first: NO_BINDING + bare,
    async final(serverFirst) {
      const [, both = '', salt = '', count = ''] =
        /^r=([^,]+),s=([^,]+),i=(\d{1,9})(?:,|$)/.exec(serverFirst) ?? []
      const iterations = Number(count)
      if (!both.startsWith(nonce) || both === nonce || iterations < 1 || iterations > MAX_ITERATIONS)
        return null
      const length = createHash(hash).digest().length
      const salted = await derive(prepared(password), Buffer.from(salt, 'base64'), iterations, length, hash)
      const clientKey = hmac(salted, 'Client Key')
      const storedKey = createHash(hash).update(clientKey).digest()
      const withoutProof = `c=${NO_BINDING_BASE64},r=${both}`
      const signed = `${bare},${serverFirst},${withoutProof}`
      const signature = hmac(storedKey, signed)
      serverSignature = hmac(hmac(salted, 'Server Key'), signed)
      const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0))
      return `${withoutProof},p=${Buffer.from(proof).toString('base64')}`
    },
    isProven(serverFinal) {
      const [, sent = ''] = /^v=([^,]+)/.exec(serverFinal) ?? []
      const got = Buffer.from(sent, 'base64')
      return (
        serverSignature !== null &&
        got.length === serverSignature.length &&
        timingSafeEqual(got, serverSignature)
      )
    },
  }
}

/** One form for all passwords that look the same, as SASLprep (RFC 4013) has it. */
function prepared(password: string): string {
  return password.normalize('NFKC')
}
