import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

type Key = { id: string; key: Buffer }

/**
 * Encrypts what must not be readable in a stolen database. A sealed value is
 * `v1.<key id>.<base64url of iv, ciphertext and tag>`; the purpose is authenticated with it, so that a value
 * moved to another column does not open.
 */
export class Vault {
  readonly #current: Key
  readonly #keys: Map<string, Key>

  /** The first secret seals; all of them open, which is how a key is rotated. */
  constructor(secret: string, previousSecrets: string[] = []) {
    this.#current = deriveKey(secret)
    const keys = [this.#current, ...previousSecrets.map(deriveKey)]
    this.#keys = new Map(keys.map((key) => [key.id, key]))
  }

  seal(plaintext: string, purpose: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#current.key, iv).setAAD(Buffer.from(purpose))
    const box = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `v1.${this.#current.id}.${box.toString('base64url')}`
  }

  open(sealed: string, purpose: string): string {
    const [version, keyId = '', body = ''] = sealed.split('.')
    const key = this.#keys.get(keyId)
    if (version !== 'v1' || !key) {
      throw new Error(
        `a stored secret was sealed with another key (${keyId}): set SECRET_KEY, or SECRET_KEY_PREVIOUS, to it`,
      )
    }
    const box = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv(ALGORITHM, key.key, box.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(box.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(box.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    )
  }

  /** Whether a value was sealed with an older key and should be sealed again. */
  isStale(sealed: string): boolean {
    return sealed.split('.')[1] !== this.#current.id
  }

  /** What values sealed from now on start with: finds the others in SQL. */
  get currentPrefix(): string {
    return `v1.${this.#current.id}.`
  }
}

function deriveKey(secret: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'upbeat stored secrets', 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}
