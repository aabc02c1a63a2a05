/* How the fields of a binary message are written, most significant byte first. `Cursor` reads them. */

export const u8 = (value: number) => Buffer.from([value])
export const u16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
export const i16 = u16

export const u32 = (value: number) => written(4, (bytes) => bytes.writeUInt32BE(value))
export const i32 = (value: number) => written(4, (bytes) => bytes.writeInt32BE(value))
export const i64 = (value: bigint) => written(8, (bytes) => bytes.writeBigInt64BE(value))

/** The bytes of a number, which fill a buffer of their length. */
export function written(length: number, write: (bytes: Buffer) => number): Buffer {
  const bytes = Buffer.alloc(length)
  write(bytes)
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
