const encoder = new TextEncoder()
/** A leading byte order mark is kept as part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Writes integers in as few bytes as they need. The buffer grows as needed. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(roomFor = 256) {
    this.#bytes = new Uint8Array(roomFor)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** An integer from 0 to below 2^53: seven bits per byte, lowest first. */
  unsigned(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.byte(rest)
  }

  /** An integer of either sign; values near 0 take fewer bytes. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value)
  }

  /** Null is encoded as 0, so a present number costs no extra byte. */
  signedOrNull(value: number | null): void {
    if (value === null) this.unsigned(0)
    else this.unsigned(value < 0 ? -2 * value : 2 * value + 1)
  }

  block(bytes: Uint8Array): void {
    this.unsigned(bytes.length)
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  text(value: string): void {
    this.block(encoder.encode(value))
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** Reads what a ByteWriter wrote, in the same order. Throws if the bytes end too early. */
export class ByteReader {
  #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    const value = this.#bytes[this.#at++]
    if (value === undefined) throw new Error('the bytes end too early')
    return value
  }

  unsigned(): number {
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.byte()
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value
    }
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  signedOrNull(): number | null {
    const value = this.unsigned()
    if (value === 0) return null
    return value % 2 === 1 ? (value - 1) / 2 : -value / 2
  }

  block(): Uint8Array {
    const length = this.unsigned()
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Error('the bytes end too early')
    const block = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return block
  }

  text(): string {
    return decoder.decode(this.block())
  }
}
