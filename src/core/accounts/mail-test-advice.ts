import { phrase } from '../language/phrase.ts'

/** Advice about a test that failed. The first that fits counts; `status`: null fits any. */
const ADVICE: { status: number[] | null; says: RegExp | null; words: string }[] = [
  {
    status: [530, 534, 535, 538],
    says: null,
    words: phrase(
      'The server refuses the sign-in: check the user name and the password. Many providers want an app password here, not that of the mailbox.',
    ),
  },
  {
    status: null,
    says: /certificate|self-signed|altnames|unable to verify/i,
    words: phrase(
      'The server’s certificate is not trusted: use the host name that the certificate is for, or add its authority to the service (NODE_EXTRA_CA_CERTS).',
    ),
  },
  {
    status: null,
    says: /wrong version number|packet length too long|unknown protocol|greeting never received/i,
    words: phrase(
      'The port and the kind of encryption do not fit each other: port 465 wants “TLS from the start”, port 587 wants STARTTLS.',
    ),
  },
  {
    status: null,
    says: /STARTTLS|upgrad/i,
    words: phrase(
      'The server offers no STARTTLS at this port: choose another port or “TLS from the start”. Without encryption the password could be read on the way.',
    ),
  },
  {
    status: null,
    says: /name not found|no address for|name server/i,
    words: phrase('The host name leads nowhere: check how it is spelled.'),
  },
  {
    status: null,
    says: /refused by/i,
    words: phrase('Nothing answers at this port: check the port. Usual are 587, 465 and 25.'),
  },
  {
    status: null,
    says: /no answer|timed out|no route|timeout/i,
    words: phrase(
      'The server does not answer: check the host and the port. Many hosting providers block outgoing mail, above all port 25.',
    ),
  },
  {
    status: [550, 551, 553, 554, 501, 511],
    says: null,
    words: phrase(
      'The server does not take this mail: check that it may send from the sender’s address, and that your own address is right.',
    ),
  },
  {
    status: [421, 450, 451, 452, 454],
    says: null,
    words: phrase('The server cannot take mail at the moment: try again in some minutes.'),
  },
]

const ELSE = phrase('Check each of the fields, or ask whoever runs the mail server what this answer means.')

export function mailTestAdvice(statusCode: number | null, detail: string): string {
  const found = ADVICE.find(
    ({ status, says }) =>
      (status === null || (statusCode !== null && status.includes(statusCode))) &&
      (says?.test(detail) ?? true),
  )
  return found?.words ?? ELSE
}
