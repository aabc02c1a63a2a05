import { snappyUncompressor } from 'hysnappy'
import type { Fault } from './point.ts'

let uncompress: ReturnType<typeof snappyUncompressor> | undefined

/** A block of Snappy (without frames) as it was before; a fault if it is none or would be longer than `max` bytes. */
export function unpackSnappy(block: Uint8Array, max: number): Uint8Array | Fault {
  const length = uncompressedLength(block)
  if (length === null) return { fault: 'the body is no Snappy block' }
  if (length > max)
    return { fault: `the body unpacks to ${length} bytes; at most ${max} are taken`, isTooLarge: true }
  if (length === 0) return new Uint8Array()
  try {
    uncompress ??= snappyUncompressor()
    return uncompress(block, length)
  } catch {
    return { fault: 'the body is no Snappy block' }
  }
}

/** The varint of 32 bits that a block begins with. */
function uncompressedLength(block: Uint8Array): number | null {
  let length = 0
  for (let index = 0; index < 5; index++) {
    const byte = block[index]
    if (byte === undefined) return null
    length += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return length < 2 ** 32 ? length : null
  }
  return null
}
