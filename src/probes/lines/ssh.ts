import type { LineProtocol } from './protocol.ts'

/** RFC 4253, section 4.2: more characters no identification has. */
const MAX_LENGTH = 255
/** 1.99: of a server that knows version 1 as well (section 5.1). */
const SPOKEN = /^SSH-(?:2\.0|1\.99)-/

/** RFC 4253, section 4.2. Nothing is encrypted or signed in to: both sides only say what they are. */
export const SSH: LineProtocol = {
  name: 'SSH',
  hello: 'SSH-2.0-Upbeat',
  async greet(talk) {
    let banner = await talk.line()
    // A server may say something else before.
    while (!banner.startsWith('SSH-') && !isOfAnother(banner)) banner = await talk.line()
    const isSpoken = SPOKEN.test(banner) && banner.length <= MAX_LENGTH
    return { banner, refusal: isSpoken ? null : { what: 'greeting', line: banner, expected: 'SSH-2.0' } }
  },
}

/** A server of HTTP, FTP, mail or the like, which answers our line or waits for another, and never says what it is. */
function isOfAnother(line: string): boolean {
  return /^(?:HTTP\/|[1-5]\d\d[ -]|\+OK|\* OK|-ERR)/.test(line)
}
