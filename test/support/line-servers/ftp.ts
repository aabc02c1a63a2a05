import type { Answer, Dialogue, DialogueOptions } from './line-server.ts'

/** The server's side of FTP. */
export function speakFtp({ offersTls, user }: DialogueOptions): Dialogue {
  let name = ''
  return {
    greeting: '220-Welcome\r\nto this server\r\n220 Ready\r\n',
    answer(line): Answer {
      const verb = line.split(' ', 1)[0] ?? ''
      const rest = line.slice(verb.length + 1)
      switch (verb.toUpperCase()) {
        case 'FEAT': {
          const able = ['211-Features:', ...(offersTls() ? [' AUTH TLS'] : []), ' UTF8', '211 End', '']
          return { step: 'ask', says: able.join('\r\n') }
        }
        case 'AUTH':
          return offersTls()
            ? { step: 'starttls', says: '234 Proceed with negotiation.\r\n', next: 'tls' }
            : { step: 'starttls', says: '530 Please login with USER and PASS.\r\n' }
        case 'USER':
          name = rest
          return { step: 'sign-in', says: '331 Please specify the password.\r\n' }
        case 'PASS':
          return {
            step: 'sign-in',
            says:
              name === user?.name && rest === user.password
                ? '230-Hello\r\n230 Login successful.\r\n'
                : '530 Login incorrect.\r\n',
          }
        case 'QUIT':
          return { step: 'farewell', says: '221 Goodbye.\r\n', next: 'end' }
        default:
          return { step: 'ask', says: '500 Unknown command.\r\n' }
      }
    },
  }
}
