import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** Messages in one request, whatever they are: an empty one takes two bytes of it and much more of memory. */
const MAX_MESSAGES = 100_000
/** Messages in messages. An attribute may be a list of lists. */
const MAX_DEPTH = 16

type Scalar = 'string' | 'double' | 'fixed64' | 'sfixed64' | 'int64' | 'uint32' | 'bool' | 'bytes'

/** Fields of a message that are read, by number: `repeated` ones are arrays. Others are skipped. */
export type MessageType = {
  [number: number]: { name: string; is: Scalar | (() => MessageType); repeated?: true }
}

/** A message as the object that its JSON would be, except that 64-bit integers are numbers. */
export type Decoded = Record<string, unknown>

/** Throws if the bytes are no such message, or too many. */
export function decode(bytes: Uint8Array, message: MessageType): Decoded {
  const count = { left: MAX_MESSAGES }
  return decodeAt(new BinaryReader(bytes), bytes.length, { message, count, depth: 0 })
}

type Level = { message: MessageType; count: { left: number }; depth: number }

function decodeAt(reader: BinaryReader, end: number, { message, count, depth }: Level): Decoded {
  if (--count.left < 0) throw new RangeError('too many messages')
  if (depth > MAX_DEPTH) throw new RangeError('messages in too many messages')
  const decoded: Decoded = {}
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    const field = Object.hasOwn(message, number) ? message[number] : undefined
    if (field === undefined || wireType !== wireTypeOf(field.is)) {
      reader.skip(wireType, number)
      continue
    }
    let value: unknown
    if (typeof field.is === 'function') {
      const length = reader.uint32()
      const inner = reader.pos + length
      if (inner > end) throw new RangeError('premature end')
      value = decodeAt(reader, inner, { message: field.is(), count, depth: depth + 1 })
    } else value = scalar(reader, field.is)
    const before = decoded[field.name]
    if (!field.repeated) decoded[field.name] = value
    else if (Array.isArray(before)) before.push(value)
    else decoded[field.name] = [value]
  }
  if (reader.pos !== end) throw new RangeError('premature end')
  return decoded
}

function wireTypeOf(is: Scalar | (() => MessageType)): WireType {
  if (typeof is === 'function') return WireType.LengthDelimited
  if (is === 'string' || is === 'bytes') return WireType.LengthDelimited
  return is === 'double' || is === 'fixed64' || is === 'sfixed64' ? WireType.Bit64 : WireType.Varint
}

function scalar(reader: BinaryReader, is: Scalar): unknown {
  const value = reader[is]()
  return typeof value === 'bigint' ? Number(value) : value
}
