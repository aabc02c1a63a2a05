import { charsetOf } from './charset.ts'

/** Where a document may still say what its characters are (HTML standard, "prescan a byte stream"). */
const SNIFFED_BYTES = 1_024

/** Looks for a text in bytes that arrive in pieces cut anywhere. */
export type TextSearch = {
  /** True once the text has been seen. */
  add(bytes: Buffer): boolean
  /** The same, when no more bytes will come. */
  end(): boolean
}

export function createTextSearch(wanted: string, contentType: string): TextSearch {
  let head: Buffer | null = Buffer.alloc(0)
  let decoder: TextDecoder | null = null
  let tail = ''

  const seenIn = (text: string) => {
    const searched = tail + text
    tail = wanted.length > 1 ? searched.slice(1 - wanted.length) : ''
    return searched.includes(wanted)
  }
  return {
    add(bytes) {
      if (decoder) return seenIn(decoder.decode(bytes, { stream: true }))
      head = head ? Buffer.concat([head, bytes]) : bytes
      const guess = new TextDecoder(charsetOf(contentType, head.subarray(0, SNIFFED_BYTES)))
      // A first guess at every piece: a stream that says the word and then pauses has said it.
      if (head.length < SNIFFED_BYTES) return guess.decode(head, { stream: true }).includes(wanted)
      decoder = guess
      const text = decoder.decode(head, { stream: true })
      head = null
      return seenIn(text)
    },
    end() {
      return decoder ? seenIn(decoder.decode()) : wanted === ''
    },
  }
}
