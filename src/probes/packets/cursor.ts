/** The bytes are none of the protocol. */
export class Garbled extends Error {}

/** Reads the bytes of a message from its beginning to its end. Throws `Garbled` behind it. */
export class Cursor {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw new Garbled('too short')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  rest(): Buffer {
    return this.take(this.left)
  }

  byte(): number {
    return this.take(1).readUInt8()
  }

  /** Two bytes, the higher one first. */
  uint16(): number {
    return this.take(2).readUInt16BE()
  }

  uint32(): number {
    return this.take(4).readUInt32BE()
  }

  uint16LE(): number {
    return this.take(2).readUInt16LE()
  }

  uint32LE(): number {
    return this.take(4).readUInt32LE()
  }

  int32LE(): number {
    return this.take(4).readInt32LE()
  }

  int64LE(): bigint {
    return this.take(8).readBigInt64LE()
  }

  uint64LE(): bigint {
    return this.take(8).readBigUInt64LE()
  }

  int16(): number {
    return this.take(2).readInt16BE()
  }

  int32(): number {
    return this.take(4).readInt32BE()
  }

  int64(): bigint {
    return this.take(8).readBigInt64BE()
  }

  /** Text behind its length of one byte, of two, or of four. */
  text8(): string {
    return this.take(this.byte()).toString()
  }

  text16(): string {
    return this.take(this.uint16()).toString()
  }

  text32(): string {
    return this.take(this.uint32()).toString()
  }

  /** The bytes before the next one that is `end`, which is passed over; all that are left without one. */
  until(end: number): Buffer {
    const found = this.bytes.indexOf(end, this.at)
    if (found < 0) return this.rest()
    const taken = this.take(found - this.at)
    this.at++
    return taken
  }

  /** Text that a NUL ends. */
  text(encoding: BufferEncoding = 'utf8'): string {
    return this.until(0).toString(encoding)
  }
}
