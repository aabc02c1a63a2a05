import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const SIGNATURE_BYTES = 16

/** Derived from one secret: `key` seals, `signing` signs. */
type Key = { id: string; key: Buffer; signing: Buffer }

/**
 * The permanent id of the row that a sealed value belongs to. Null if it is in no table or not bound to its row yet.
 */
export type SealedRow = number | string | null

/** When values start to be bound to their rows, and whether addresses and numbers are hidden; see the table `sealing`. */
export type Binding = { from: Date; now: () => Date; hides: () => boolean }

/**
 * Encrypts values that must not be readable in a stolen database. A sealed value is `v2.<key id>.<base64url of iv,
 * ciphertext and tag>`. Purpose and row are authenticated with it, so that a value copied to another column or row
 * does not open. Values of `v1` are bound to their purpose only: they come from an older version, or are in no table.
 */
export class Vault {
  readonly #current: Key
  readonly #keys: Map<string, Key>
  readonly #binding: Binding | null

  /** The first secret seals; all of them open, which allows rotating keys. */
  constructor(secret: string, previousSecrets: string[] = [], binding: Binding | null = null) {
    this.#binding = binding
    this.#current = deriveKey(secret)
    const keys = [this.#current, ...previousSecrets.map(deriveKey)]
    this.#keys = new Map(keys.map((key) => [key.id, key]))
  }

  seal(plaintext: string, purpose: string, row: SealedRow): string {
    const version = row !== null && this.bindsToRows ? 'v2' : 'v1'
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#current.key, iv).setAAD(associated(version, purpose, row))
    const box = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${version}.${this.#current.id}.${box.toString('base64url')}`
  }

  open(sealed: string, purpose: string, row: SealedRow): string {
    const [version, keyId = '', body = ''] = sealed.split('.')
    const key = this.#keys.get(keyId)
    if ((version !== 'v1' && version !== 'v2') || !key) {
      throw new Error(
        `a stored secret was sealed with another key (${keyId}): set SECRET_KEY, or SECRET_KEY_PREVIOUS, to it`,
      )
    }
    const box = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv(ALGORITHM, key.key, box.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associated(version, purpose, row))
      .setAuthTag(box.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(box.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    )
  }

  /** Signs a text for a link that nobody else can make, in hexadecimal. Purposes contain no NUL. */
  sign(text: string, purpose: string): string {
    return signatureOf(this.#current, text, purpose).toString('hex')
  }

  /** Whether the text was signed here for the purpose, with this key or one before it. Takes the same time for any signature. */
  isSigned(text: string, purpose: string, signature: string): boolean {
    const given = Buffer.from(signature, 'hex')
    if (given.length !== SIGNATURE_BYTES) return false
    const matches = [...this.#keys.values()].map((key) =>
      timingSafeEqual(signatureOf(key, text, purpose), given),
    )
    return matches.includes(true)
  }

  /** Whether values are bound to their rows already. */
  get bindsToRows(): boolean {
    return this.#binding === null || this.#binding.now() >= this.#binding.from
  }

  /** The time at which binding starts; null if it has started. */
  get bindsFrom(): Date | null {
    return this.bindsToRows ? null : (this.#binding?.from ?? null)
  }

  /** Whether the queries of addresses and phone numbers are sealed already. */
  get hides(): boolean {
    return this.#binding?.hides() ?? true
  }

  /** Prefixes of values that need no resealing, for use in SQL. */
  get currentPrefixes(): string[] {
    const versions = this.bindsToRows ? ['v2'] : ['v1', 'v2']
    return versions.map((version) => `${version}.${this.#current.id}.`)
  }
}

/** The data authenticated beside the text. Purposes contain no NUL. */
function associated(version: 'v1' | 'v2', purpose: string, row: SealedRow): Buffer {
  return Buffer.from(version === 'v1' ? purpose : `${purpose}\0${row}`)
}

function deriveKey(secret: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'upbeat stored secrets', 32))
  const signing = Buffer.from(hkdfSync('sha256', secret, '', 'upbeat signed links', 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key, signing }
}

function signatureOf({ signing }: Key, text: string, purpose: string): Buffer {
  return createHmac('sha256', signing).update(`${purpose}\0${text}`).digest().subarray(0, SIGNATURE_BYTES)
}
