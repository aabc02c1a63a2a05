import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const ITERATIONS = 4_096

/** The server's side of one sign-in by SCRAM (RFC 5802), without channel binding. */
export function createScramServer(hash: 'sha1' | 'sha256' | 'sha512', password: string) {
  const salt = randomBytes(16)
  const hmac = (key: Uint8Array, text: string) => createHmac(hash, key).update(text).digest()
  let bare = ''
  let first = ''
  return {
    first(clientFirst: string): string {
      bare = clientFirst.replace(/^n,,/, '')
      const nonce = /r=([^,]+)/.exec(bare)?.[1] ?? ''
      first = `r=${nonce}${randomBytes(9).toString('base64')},s=${salt.toString('base64')},i=${ITERATIONS}`
      return first
    },
    /** Null for a wrong password. */
    final(clientFinal: string): string | null {
      const [, withoutProof = '', proof = ''] = /^(.*),p=(.*)$/.exec(clientFinal) ?? []
      const salted = pbkdf2Sync(password, salt, ITERATIONS, createHash(hash).digest().length, hash)
      const signed = `${bare},${first},${withoutProof}`
      const storedKey = createHash(hash).update(hmac(salted, 'Client Key')).digest()
      const signature = hmac(storedKey, signed)
      const clientKey = Buffer.from(proof, 'base64').map((byte, at) => byte ^ (signature[at] ?? 0))
      if (!createHash(hash).update(clientKey).digest().equals(storedKey)) return null
      return `v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`
    },
  }
}
