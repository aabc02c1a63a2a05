import type { BrokerDialogue, BrokerFacts, Said } from './broker-server.ts'

/** The server's side of NATS. */
export function speakNats({ user, others, denies, offersTls }: BrokerFacts): BrokerDialogue {
  const info = { server_id: 'TEST', max_payload: 1_048_576, ...(offersTls() && { tls_required: true }) }
  let isIn = false
  let isSubscribed = false
  return {
    greeting: Buffer.from(`INFO ${JSON.stringify({ ...info, connect_urls: ['10.9.9.9:4222'] })} \r\n`),
    hear(held) {
      const end = held.indexOf('\r\n')
      if (end < 0) return null
      const [verb = '', ...words] = held.toString('utf8', 0, end).split(' ')
      const used = end + 2
      if (verb !== 'PUB') return { used, says: answerTo(verb, words.join(' ')) }
      const size = Number(words[1])
      if (held.length < used + size + 2) return null
      const message = held.subarray(used, used + size)
      return { used: used + size + 2, says: published(words[0] ?? '', message) }
    },
  }

  function answerTo(verb: string, rest: string): Said[] {
    switch (verb) {
      case 'CONNECT': {
        const { user: name, pass } = JSON.parse(rest)
        isIn = user === null || (name === user.name && pass === user.password)
        return isIn ? [] : [{ ...say('sign-in', "-ERR 'Authorization Violation'\r\n"), next: 'end' }]
      }
      case 'PING':
        if (!isSubscribed) return [say('sign-in', 'PONG\r\n')]
        if (denies === 'subscribe')
          return [say('subscribe', '-ERR \'Permissions Violation for Subscription to "hall"\'\r\n')]
        return [say('subscribe', 'PONG\r\n'), ...others.map((message) => messageOn('hall', message))]
      case 'SUB':
        isSubscribed = true
        return []
      default:
        return [say('farewell', '')]
    }
  }

  function published(topic: string, message: Buffer): Said[] {
    if (denies === 'publish')
      return [say('publish', `-ERR 'Permissions Violation for Publish to "${topic}"'\r\n`)]
    return [say('publish', ''), messageOn(topic, message)]
  }
}

function say(step: Said['step'], text: string): Said {
  return { step, bytes: Buffer.from(text) }
}

function messageOn(topic: string, message: Buffer): Said {
  const head = Buffer.from(`MSG ${topic} 1 ${message.length}\r\n`)
  return { step: 'message', bytes: Buffer.concat([head, message, Buffer.from('\r\n')]) }
}
