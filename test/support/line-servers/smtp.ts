import type { Answer, Dialogue, DialogueOptions } from './line-server.ts'

/** The server's side of SMTP. */
export function speakSmtp({ offersTls, user, signIns }: DialogueOptions): Dialogue {
  let awaited: 'name' | 'password' | null = null
  let name = ''
  const signedIn = (isRight: boolean): Answer => ({
    step: 'sign-in',
    says: isRight ? '235 2.7.0 Authentication successful\r\n' : '535 5.7.8 Authentication failed\r\n',
  })
  return {
    greeting: '220 mail.example ESMTP Test\r\n',
    answer(line) {
      if (awaited === 'name') {
        name = decoded(line)
        awaited = 'password'
        return { step: 'sign-in', says: '334 UGFzc3dvcmQ6\r\n' }
      }
      if (awaited === 'password') {
        awaited = null
        return signedIn(name === user?.name && decoded(line) === user.password)
      }
      const [verb = '', way = '', given = ''] = line.split(' ')
      switch (verb.toUpperCase()) {
        case 'EHLO': {
          const able = [
            ...(offersTls() ? ['STARTTLS'] : []),
            ...(user ? [`AUTH ${(signIns ?? ['PLAIN', 'LOGIN']).join(' ')}`] : []),
          ]
          return {
            step: 'ask',
            says: ['250-mail.example', ...able.map((one) => `250-${one}`), '250 HELP', ''].join('\r\n'),
          }
        }
        case 'HELO':
          return { step: 'ask', says: '250 mail.example\r\n' }
        case 'STARTTLS':
          return offersTls()
            ? { step: 'starttls', says: '220 2.0.0 Ready to start TLS\r\n', next: 'tls' }
            : { step: 'starttls', says: '502 5.5.1 Not implemented\r\n' }
        case 'AUTH':
          if (way === 'PLAIN') return signedIn(decoded(given) === `\0${user?.name}\0${user?.password}`)
          awaited = 'name'
          return { step: 'sign-in', says: '334 VXNlcm5hbWU6\r\n' }
        case 'QUIT':
          return { step: 'farewell', says: '221 2.0.0 Bye\r\n', next: 'end' }
        default:
          return { step: 'ask', says: '500 5.5.2 Bad command\r\n' }
      }
    },
  }
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString()
}
