/** An answer that ends within a field, or breaks its rules. */
export class Malformed extends Error {}

/** The fields of a binary message, one after the other, most significant byte first. Throws `Malformed` at its end. */
export function createFields(bytes: Buffer) {
  let at = 0
  const take = (count: number): Buffer => {
    if (count < 0 || at + count > bytes.length) throw new Malformed()
    at += count
    return bytes.subarray(at - count, at)
  }
  return {
    take,
    rest: () => take(bytes.length - at),
    left: () => bytes.length - at,
    u8: () => take(1).readUInt8(),
    u16: () => take(2).readUInt16BE(),
    i16: () => take(2).readInt16BE(),
    u32: () => take(4).readUInt32BE(),
    i32: () => take(4).readInt32BE(),
    i64: () => take(8).readBigInt64BE(),
    /** Text behind its length of one byte, or of two. */
    text8: () => take(take(1).readUInt8()).toString(),
    text16: () => take(take(2).readUInt16BE()).toString(),
    /** Text behind its length of four bytes. */
    text32: () => take(take(4).readUInt32BE()).toString(),
  }
}

export type BinaryFields = ReturnType<typeof createFields>

export const u8 = (value: number) => Buffer.from([value])
export const u16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
export const i16 = u16

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export function i64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

export function text8(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([u8(bytes.length), bytes])
}

export function text16(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([u16(bytes.length), bytes])
}

export function text32(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([u32(bytes.length), bytes])
}

const MAX_SHOWN_BYTES = 16

/** Bytes that another protocol answers with: its first line if it is one of text, else the first bytes as digits. */
export function shownBytes(bytes: Buffer): string {
  const [line = ''] = bytes.toString('latin1').split(/[\r\n]/, 1)
  if (line !== '' && /^[\x20-\x7e]+$/.test(line)) return line
  return (bytes.subarray(0, MAX_SHOWN_BYTES).toString('hex').match(/../g) ?? []).join(' ')
}
