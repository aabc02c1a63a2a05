import { charsetOf } from './charset.ts'

/** Documents must declare their encoding within this many bytes (HTML standard, "prescan a byte stream"). */
const SNIFFED_BYTES = 1_024

/** Searches for a text in bytes that arrive in pieces cut anywhere. */
export type TextSearch = {
  /** True once the text has been seen. */
  add(bytes: Buffer): boolean
  /** Ends the search: no more bytes will come. */
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
      // Guess at every piece: a stream that sends the keyword and then pauses has sent it.
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
