import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { startEcho } from '../support/line-servers/echo.ts'
import { speakFtp } from '../support/line-servers/ftp.ts'
import { speakImap } from '../support/line-servers/imap.ts'
import {
  type Deed,
  type LineServerOptions,
  type Step,
  startLineServer,
} from '../support/line-servers/line-server.ts'
import { speakPop3 } from '../support/line-servers/pop3.ts'
import { speakSmtp } from '../support/line-servers/smtp.ts'
import { speakSsh } from '../support/line-servers/ssh.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort, startSaying } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import type { Case, Group } from './case.ts'

const authority = createAuthority('Line servers of the catalogue')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const USER = { name: 'watcher', password: 'sesame-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }

const SPEAK = { smtp: speakSmtp, imap: speakImap, pop3: speakPop3, ftp: speakFtp, ssh: speakSsh }
type Type = keyof typeof SPEAK

type Settings = Partial<ProbeSettings> & Partial<typeof SIGNED_IN> & { options?: MonitorOptions }

/** A check of a server that offers STARTTLS and knows one user, but for what is said otherwise. */
function of(
  type: Type,
  name: string,
  cause: string | null,
  server: LineServerOptions,
  settings: Settings = {},
): Case {
  return {
    ...{ name, type, status: cause === null ? 'up' : 'down', cause },
    start: async (scope) => {
      const started = await startLineServer(scope, SPEAK[type], { certificate, user: USER, ...server })
      const { port, reached } = started
      return {
        settings: { url: `${type}://127.0.0.1:${port}`, ...settings } as Partial<ProbeSettings>,
        ...{ network, authority: authority.pem, words: { address: `127.0.0.1:${port}` } },
        saidAll: () => reached,
      }
    },
  }
}

const doing = (step: Step, deed: Deed): LineServerOptions => ({ tls: 'starttls', instead: { [step]: deed } })
const says = (text: string): Deed => ({ says: `${text}\r\n` })

/** A check that sends `ping` to a port of UDP, and wants `pong`. */
const packet = (name: string, cause: string, answer: string | null): Case => ({
  ...{ name, type: 'udp', status: 'down', cause },
  start: async (scope) => {
    const heard = Promise.withResolvers<void>()
    const { port } = await startEcho(scope, () => {
      heard.resolve()
      return answer
    })
    return { settings: settingsAt(port, PONG), saidAll: () => heard.promise }
  },
})

const PONG: MonitorOptions = {
  send: 'ping',
  assertions: [{ source: 'answer', comparison: 'equals', target: 'pong', severity: 'down' }],
}
const settingsAt = (port: number, options: MonitorOptions) => ({ url: 'udp://127.0.0.1', port, options })

/** A check of a port that says this to what is sent, and hangs up. */
const port = (name: string, cause: string, answer: string): Case => ({
  ...{ name, type: 'tcp', status: 'down', cause },
  start: async (scope) => {
    const target = await startSaying(scope, answer)
    const words = { address: `127.0.0.1:${target.port}` }
    return { settings: settingsAt(target.port, PONG), targets: [target], words }
  },
})

/** Checks that speak a protocol of lines, or send what a monitor says. */
export const lines: Group = {
  title: 'Mail, SSH, FTP and ports that answer',
  cases: [
    of(
      'smtp',
      'The server takes no mail',
      'SMTP: greeting is "554 No service here" (expected 220)',
      doing('greeting', says('554 No service here')),
    ),
    of(
      'imap',
      'The server says good-bye at once',
      'IMAP: greeting is "* BYE Too many connections" (expected * OK)',
      doing('greeting', says('* BYE Too many connections')),
    ),
    of(
      'ftp',
      'The server is too busy',
      'FTP: greeting is "421 Too many users" (expected 220)',
      doing('greeting', says('421 Too many users')),
    ),
    of(
      'ssh',
      'Something else listens there',
      'SSH: greeting is "HTTP/1.1 400 Bad Request" (expected SSH-2.0)',
      doing('greeting', says('HTTP/1.1 400 Bad Request')),
    ),
    of(
      'ssh',
      'The server speaks version 1 alone',
      'SSH: greeting is "SSH-1.5-Old" (expected SSH-2.0)',
      doing('greeting', says('SSH-1.5-Old')),
    ),
    of(
      'pop3',
      'The server hangs up without a greeting',
      'POP3: <address> closed the connection before its greeting',
      doing('greeting', 'hangs up'),
    ),
    of(
      'imap',
      'The server hangs up in the middle',
      'IMAP: <address> closed the connection before its answer',
      doing('ask', 'hangs up'),
    ),
    of(
      'ftp',
      'The connection is reset in the middle',
      'connection reset by <address>',
      doing('ask', 'resets'),
    ),
    of(
      'smtp',
      'The greeting has no end',
      'SMTP: the answer is longer than an answer of this protocol may be',
      doing('greeting', { repeats: '220-a\r\n' }),
    ),
    of(
      'smtp',
      'The server refuses to talk',
      'SMTP: answer to EHLO is "421 Later" (expected 250)',
      doing('ask', says('421 Later')),
    ),
    of('smtp', 'The server offers no STARTTLS: up, with a note', null, {}),
    of(
      'smtp',
      'The same, and a user would sign in',
      'SMTP: not signed in, as the server offers no STARTTLS and the password would be sent in the clear',
      {},
      SIGNED_IN,
    ),
    of(
      'pop3',
      'STARTTLS is required, and the server knows none',
      'POP3: answer to STLS is "-ERR unknown command" (expected +OK)',
      {},
      { options: { security: 'starttls' } },
    ),
    of(
      'smtp',
      'The server, or somebody between, says more before TLS begins',
      'SMTP: the server went on without TLS after it had agreed to STARTTLS',
      doing('starttls', { says: '220 Go\r\n235 Welcome\r\n', thenTls: true }),
    ),
    of(
      'imap',
      'The certificate of STARTTLS has expired',
      'certificate expired 3 days ago (CN=shop.example)',
      { tls: 'starttls', certificate: expired },
    ),
    of(
      'smtp',
      'The server knows another password',
      'SMTP: sign-in refused ("535 5.7.8 Authentication failed")',
      { tls: 'starttls' },
      { ...SIGNED_IN, password: 'sesame-8' },
    ),
    of(
      'imap',
      'The same',
      'IMAP: sign-in refused ("a3 NO [AUTHENTICATIONFAILED] Authentication failed")',
      { tls: 'starttls' },
      { ...SIGNED_IN, password: 'sesame-8' },
    ),
    of(
      'pop3',
      'The same',
      'POP3: sign-in refused ("-ERR [AUTH] Authentication failed.")',
      { tls: 'starttls' },
      { ...SIGNED_IN, password: 'sesame-8' },
    ),
    of(
      'ftp',
      'The same',
      'FTP: sign-in refused ("530 Login incorrect.")',
      { tls: 'starttls' },
      { ...SIGNED_IN, password: 'sesame-8' },
    ),
    of(
      'smtp',
      'The server takes no password at all',
      'SMTP: the server offers no sign-in with a user name and a password',
      { tls: 'starttls', signIns: ['XOAUTH2'] },
      SIGNED_IN,
    ),
    of(
      'smtp',
      'The password has a line break',
      'SMTP: the user name or the password has a character that cannot be sent',
      { tls: 'starttls' },
      { ...SIGNED_IN, password: 'a\nb' },
    ),
    of(
      'ssh',
      'The banner is another one than an assertion expects',
      'answer is "SSH-2.0-Test_1.0" (expected to contain "OpenSSH")',
      {},
      {
        options: {
          assertions: [{ source: 'answer', comparison: 'contains', target: 'OpenSSH', severity: 'down' }],
        },
      },
    ),
    {
      ...of(
        'smtp',
        'The server accepts, and says nothing',
        'no answer within <limit> s (connected, waiting for the first byte)',
        doing('greeting', 'silence'),
      ),
      atLimit: true,
    },
    {
      ...of(
        'imap',
        'The server says nothing to a sign-in',
        'no answer within <limit> s (signing in)',
        doing('sign-in', 'silence'),
        SIGNED_IN,
      ),
      atLimit: true,
    },
    port(
      'The answer of a port is another one than an assertion expects',
      'answer is "pang" (expected "pong")',
      'pang\n',
    ),
    port(
      'The port hangs up without an answer to what it is sent',
      'TCP: <address> closed the connection before its answer',
      '',
    ),
    packet(
      'The packet that comes back is another one than an assertion expects',
      'answer is "pang" (expected "pong")',
      'pang',
    ),
    {
      ...packet('Nothing listens at the port', 'connection refused by <address>', null),
      start: async (scope) => {
        const there = await closedPort(scope)
        return { settings: settingsAt(there, PONG), words: { address: `127.0.0.1:${there}` } }
      },
    },
    {
      ...packet(
        'No packet comes back',
        'no answer within <limit> s (connected, waiting for the first byte)',
        null,
      ),
      atLimit: true,
    },
  ],
}
