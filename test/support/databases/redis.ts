import type { Dialogue, DialogueOptions } from '../line-servers/line-server.ts'

/** The server's side of the Redis protocol: it knows one list, and the number 7 by every other name. */
export function speakRedis({ user }: DialogueOptions): Dialogue {
  let isKnown = user === null
  return {
    greeting: null,
    lengthOf(held) {
      const text = held.toString('latin1')
      let at = text.indexOf('\r\n') + 2
      if (at < 2) return 0
      for (let left = Number(text.slice(1, at - 2)); left > 0; left--) {
        const end = text.indexOf('\r\n', at)
        if (end < 0) return 0
        at = end + 2 + Number(text.slice(at + 1, end)) + 2
      }
      return at <= text.length ? at : 0
    },
    answer(line) {
      const words = Buffer.from(line, 'latin1')
        .toString()
        .split('\r\n')
        .filter((_, index) => index > 0 && index % 2 === 0)
      const [verb = '', ...rest] = words
      switch (verb.toUpperCase()) {
        case 'AUTH':
          isKnown =
            rest.join() === `${user?.name},${user?.password}` ||
            (rest.length === 1 && rest[0] === user?.password)
          return {
            step: 'sign-in',
            says: isKnown ? '+OK\r\n' : '-WRONGPASS invalid username-password pair\r\n',
          }
        case 'QUIT':
          return { step: 'farewell', says: '+OK\r\n', next: 'end' }
        case 'PING':
          return { step: 'ask', says: isKnown ? '+PONG\r\n' : '-NOAUTH Authentication required.\r\n' }
        case 'SELECT':
          return { step: 'ask', says: rest[0] === '0' ? '+OK\r\n' : '-ERR DB index is out of range\r\n' }
        default:
          return { step: 'query', says: `*2\r\n${bulk('7')}:${7}\r\n` }
      }
    },
  }
}

export function bulk(value: string): string {
  return `$${Buffer.byteLength(value)}\r\n${value}\r\n`
}
