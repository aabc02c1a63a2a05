import type { Answer, Dialogue, DialogueOptions } from './line-server.ts'

/** The server's side of POP3. */
export function speakPop3({ offersTls, user }: DialogueOptions): Dialogue {
  let name = ''
  return {
    greeting: '+OK Test ready.\r\n',
    answer(line): Answer {
      const verb = line.split(' ', 1)[0] ?? ''
      const rest = line.slice(verb.length + 1)
      switch (verb.toUpperCase()) {
        case 'CAPA':
          return {
            step: 'ask',
            says: ['+OK', 'UIDL', ...(offersTls() ? ['STLS'] : []), '.', ''].join('\r\n'),
          }
        case 'STLS':
          return offersTls()
            ? { step: 'starttls', says: '+OK Begin TLS\r\n', next: 'tls' }
            : { step: 'starttls', says: '-ERR unknown command\r\n' }
        case 'USER':
          name = rest
          return { step: 'sign-in', says: '+OK\r\n' }
        case 'PASS':
          return {
            step: 'sign-in',
            says:
              name === user?.name && rest === user.password
                ? '+OK Logged in.\r\n'
                : '-ERR [AUTH] Authentication failed.\r\n',
          }
        case 'QUIT':
          return { step: 'farewell', says: '+OK Bye\r\n', next: 'end' }
        default:
          return { step: 'ask', says: '-ERR unknown command\r\n' }
      }
    },
  }
}
