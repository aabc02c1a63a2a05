import type { Answer, Dialogue, DialogueOptions } from './line-server.ts'

/** The server's side of IMAP. */
export function speakImap({ offersTls, user, signIns }: DialogueOptions): Dialogue {
  const ways = signIns ?? ['LOGIN', 'PLAIN']
  let tag = ''
  /** The bytes of a literal that are to come, and the command as far as it has come. */
  let command = ''
  let isPlain = false
  const signedIn = (isRight: boolean): Answer => ({
    step: 'sign-in',
    says: isRight
      ? `${tag} OK [CAPABILITY IMAP4rev1] Logged in\r\n`
      : `${tag} NO [AUTHENTICATIONFAILED] Authentication failed\r\n`,
  })
  const logIn = (line: string): Answer => {
    command += line
    const [, literal] = /\{(\d+)\}$/.exec(line) ?? []
    if (literal !== undefined) {
      command = command.replace(/\{\d+\}$/, '\0')
      return { step: 'sign-in', says: '+ Ready\r\n' }
    }
    const [name, password] = argumentsOf(command.replace(/^\S+ LOGIN /i, ''))
    command = ''
    return signedIn(name === user?.name && password === user?.password)
  }
  return {
    greeting: '* OK [CAPABILITY IMAP4rev1] Test ready\r\n',
    answer(line) {
      if (isPlain) {
        isPlain = false
        const given = Buffer.from(line, 'base64').toString()
        return signedIn(given === `\0${user?.name}\0${user?.password}`)
      }
      if (command !== '') return logIn(line)
      const [given = '', verb = ''] = line.split(' ')
      tag = given
      switch (verb.toUpperCase()) {
        case 'CAPABILITY': {
          const able = [
            'IMAP4rev1',
            ...(offersTls() ? ['STARTTLS'] : []),
            ...(ways.includes('LOGIN') ? [] : ['LOGINDISABLED']),
            ...(ways.includes('PLAIN') ? ['AUTH=PLAIN'] : []),
          ]
          return { step: 'ask', says: `* CAPABILITY ${able.join(' ')}\r\n${tag} OK done\r\n` }
        }
        case 'STARTTLS':
          return offersTls()
            ? { step: 'starttls', says: `${tag} OK Begin TLS\r\n`, next: 'tls' }
            : { step: 'starttls', says: `${tag} BAD unknown command\r\n` }
        case 'LOGIN':
          return ways.includes('LOGIN')
            ? logIn(line)
            : { step: 'sign-in', says: `${tag} NO [PRIVACYREQUIRED] No\r\n` }
        case 'AUTHENTICATE':
          isPlain = true
          return { step: 'sign-in', says: '+ \r\n' }
        case 'LOGOUT':
          return { step: 'farewell', says: `* BYE Logging out\r\n${tag} OK done\r\n`, next: 'end' }
        default:
          return { step: 'ask', says: `${tag} BAD unknown command\r\n` }
      }
    },
  }
}

/** Two texts, each in quotes or behind the mark of a literal. */
function argumentsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|\0([^ ]*(?: (?!["\0])[^ ]*)*)/g)].map(
    ([, inQuotes, literal]) => inQuotes?.replace(/\\(.)/g, '$1') ?? literal ?? '',
  )
}
