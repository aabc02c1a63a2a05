import { charsetOf, DECLARED_WITHIN_BYTES, declaredOutside, MARK_BYTES } from './charset.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Searches for a text in bytes that arrive in pieces cut anywhere. */
export type TextSearch = {
  /** True once the text has been seen. */
  add(bytes: Buffer): boolean
  /** Ends the search: no more bytes will come. */
  end(): boolean
}

export function createTextSearch(wanted: string, contentType: string): TextSearch {
  const seenIn = createMatch(wanted)
  let head: Buffer | null = Buffer.alloc(0)
  let decoder: TextDecoder | null = null

  return {
    add(bytes) {
      if (decoder) return seenIn(decoder.decode(bytes, { stream: true }))
      head = head && head.length > 0 ? Buffer.concat([head, bytes]) : bytes
      const certain = head.length < MARK_BYTES ? null : declaredOutside(contentType, head)
      const charset = certain ?? charsetOf(contentType, head.subarray(0, DECLARED_WITHIN_BYTES))
      const text = new TextDecoder(charset)
      // Guess at every piece: a stream that sends the keyword and then pauses has sent it.
      if (certain === null && head.length < DECLARED_WITHIN_BYTES)
        return createMatch(wanted)(text.decode(head, { stream: true }))
      decoder = text
      const known = head
      head = null
      return seenIn(decoder.decode(known, { stream: true }))
    },
    end() {
      return decoder ? seenIn(decoder.decode()) : wanted === ''
    },
  }
}

/**
 * Looks for a text in others that follow each other: as it is, or composed (NFC), so that `é` is found however it is
 * written. The end of one text may be a part of the match.
 */
function createMatch(wanted: string): (text: string) => boolean {
  const composed = wanted.normalize('NFC')
  // Nothing else is written like ASCII.
  const reach = ASCII.test(wanted) ? wanted.length : longestForm(wanted)
  let tail = ''
  return (text) => {
    const searched = tail + text
    tail = reach > 1 ? searched.slice(1 - reach) : ''
    if (searched.includes(wanted)) return true
    return reach > wanted.length && searched.normalize('NFC').includes(composed)
  }
}

/** In UTF-16: twice the decomposed form, since that of two units for some characters is one. */
function longestForm(text: string): number {
  return 2 * text.normalize('NFD').length
}
