import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import * as mongodb from '../support/databases/mongodb.ts'
import * as mysql from '../support/databases/mysql.ts'
import { type SpokenDatabase, spokenDatabase } from '../support/databases/spoken.ts'
import * as sqlserver from '../support/databases/sqlserver.ts'
import {
  type Deed,
  type LineServerOptions,
  type Step,
  startLineServer,
} from '../support/line-servers/line-server.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import type { Case, Group } from './case.ts'

const authority = createAuthority('Databases of the catalogue')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const USER = { name: 'watcher', password: 'sesame-7' }

type Settings = Partial<ProbeSettings> & { options?: MonitorOptions; password?: string }

const [postgresql, mySql, redis, mongoDb, sqlServer] = [
  spokenDatabase('postgresql'),
  spokenDatabase('mysql'),
  spokenDatabase('redis'),
  spokenDatabase('mongodb'),
  spokenDatabase('sqlserver'),
]

/** A check of a server that knows one user and offers TLS, where its protocol does, but for what is said otherwise. */
function of(
  { type, speak, late, query }: SpokenDatabase,
  name: string,
  cause: string | null,
  server: LineServerOptions,
  { options, ...settings }: Settings = {},
): Case {
  return {
    ...{ name, type, status: cause === null ? 'up' : 'down', cause },
    start: async (scope) => {
      const tls = late ? ({ tls: 'starttls' } as const) : {}
      const started = await startLineServer(scope, speak, { certificate, user: USER, ...tls, ...server })
      const { port, reached } = started
      const url = `${type}://127.0.0.1:${port}`
      const signedIn = { username: USER.name, password: USER.password }
      return {
        settings: { url, ...signedIn, ...settings, options: { query, ...options } } as Partial<ProbeSettings>,
        ...{ network, authority: authority.pem, words: { address: `127.0.0.1:${port}` } },
        saidAll: () => reached,
      }
    },
  }
}

const PLAIN = { tls: undefined } as unknown as LineServerOptions
const says = (step: Step, text: string | Buffer): LineServerOptions => ({
  instead: { [step]: { says: text } },
})
const expecting = (target: string): MonitorOptions => ({
  assertions: [{ source: 'answer', comparison: 'equals', target, severity: 'down' }],
})

/** A check of several members, each of which does this in place of its first answer. */
function ofMembers(name: string, cause: string, deeds: readonly Deed[]): Case {
  return {
    ...{ name, type: 'mongodb', status: 'down', cause },
    start: async (scope) => {
      const servers = await Promise.all(
        deeds.map((deed) => startLineServer(scope, mongodb.speakMongodb, { instead: { ask: deed } })),
      )
      const [address = '', other = ''] = servers.map(({ port }) => `127.0.0.1:${port}`)
      return { settings: { url: `mongodb://${address},${other}` }, network, words: { address, other } }
    },
  }
}

/** Checks that sign in to a database and ask it something. */
export const databases: Group = {
  title: 'Databases',
  cases: [
    of(
      postgresql,
      'The server knows another password',
      'PostgreSQL: sign-in refused ("password authentication failed")',
      {},
      { password: 'sesame-8' },
    ),
    of(
      redis,
      'The same',
      'Redis: sign-in refused ("WRONGPASS invalid username-password pair")',
      {},
      { password: 'sesame-8' },
    ),
    of(
      mongoDb,
      'The server knows another password, or no such user',
      'MongoDB: sign-in refused ("Authentication failed.")',
      {},
      { password: 'sesame-8' },
    ),
    of(
      sqlServer,
      'The same, and so says SQL Server',
      'SQL Server: sign-in refused ("Login failed for user \'watcher\'.")',
      {},
      { password: 'sesame-8' },
    ),
    of(
      sqlServer,
      'The server offers no TLS: no password is sent',
      'SQL Server: not signed in, as the server offers no TLS and the password would be sent in the clear',
      PLAIN,
    ),
    of(
      sqlServer,
      'The monitor wants no TLS, and the server takes nothing else',
      'SQL Server: sign-in refused ("the server takes connections over TLS alone")',
      { signIns: ['only over TLS'] },
      { options: { security: 'none' } },
    ),
    of(
      sqlServer,
      'A listener sends to another server',
      'SQL Server: sign-in refused ("the server sends to db2.example:1434, which is not followed")',
      { signIns: ['sends to another one'] },
    ),
    of(
      mySql,
      'The server has no place for another client',
      'MySQL: sign-in refused ("Too many connections")',
      says(
        'greeting',
        mysql.packet(0, Buffer.concat([Buffer.of(0xff, 0x10, 0x04), Buffer.from('Too many connections')])),
      ),
    ),
    of(
      postgresql,
      'The server wants more than a password, such as Kerberos',
      'PostgreSQL: the server offers no sign-in with a user name and a password',
      { signIns: ['another'] },
    ),
    of(postgresql, 'The server offers no TLS: up, with a note', null, PLAIN),
    of(
      mySql,
      'The same, and the server wants the password as it is',
      'MySQL: not signed in, as the server offers no TLS and the password would be sent in the clear',
      { ...PLAIN, signIns: ['clear'] },
    ),
    of(mySql, 'TLS is required, and the server offers none', 'MySQL: the server offers no TLS', PLAIN, {
      options: { security: 'starttls' },
    }),
    of(
      postgresql,
      'The server, or somebody between, says more before TLS begins',
      'PostgreSQL: the server went on without TLS after it had agreed to TLS',
      { instead: { starttls: { says: 'SE', thenTls: true } } },
    ),
    of(postgresql, 'The certificate has expired', 'certificate expired 3 days ago (CN=shop.example)', {
      certificate: expired,
    }),
    of(
      postgresql,
      'The query asks for what is not there',
      'PostgreSQL: query failed ("relation "jobs" does not exist")',
      says('query', postgresql.refusal('relation "jobs" does not exist')),
    ),
    of(
      redis,
      'The server sends to another one of its cluster, which is not asked',
      'Redis: query failed ("MOVED 3999 192.0.2.7:6381")',
      says('query', redis.refusal('MOVED 3999 192.0.2.7:6381')),
    ),
    of(
      mongoDb,
      'The user may not do what the command asks for',
      'MongoDB: query failed ("not authorized on shop to execute command")',
      says(
        'query',
        mongodb.reply(
          mongodb.error(13, 'Unauthorized', 'not authorized on shop to execute command { count: "jobs" }'),
        ),
      ),
    ),
    of(
      sqlServer,
      'The query gives what checks do not read',
      'SQL Server: query failed ("the query gives a column of the type xml, which checks do not read: cast it")',
      says('query', sqlserver.reply([sqlserver.columns([['v', Buffer.from([0xf1, 0])]]), sqlserver.done()])),
    ),
    of(
      mongoDb,
      'The server does not know the command',
      'MongoDB: query failed ("no such command: \'count\'")',
      says('query', mongodb.reply(mongodb.error(59, 'CommandNotFound', "no such command: 'count'"))),
    ),
    of(
      mongoDb,
      'The member can answer nothing for now',
      'MongoDB: query failed ("node is in recovering state")',
      says(
        'query',
        mongodb.reply(mongodb.error(13_436, 'NotPrimaryOrSecondary', 'node is in recovering state')),
      ),
    ),
    of(
      postgresql,
      'The first value is another one than an assertion expects',
      'answer is "7" (expected "0")',
      {},
      { options: expecting('0') },
    ),
    of(
      mySql,
      'The query gives more rows than are read',
      'MySQL: the query gives more than 1,000 rows',
      says('query', mySql.rows(1_001, 'x')),
    ),
    of(
      redis,
      'The query gives more bytes than are read',
      'Redis: the query gives more than 1,048,576 bytes',
      says('query', '$999999999\r\n'),
    ),
    of(
      redis,
      'Something else listens there',
      'Redis: invalid answer',
      says('sign-in', 'HTTP/1.1 400 Bad Request\r\n\r\n'),
    ),
    of(
      mySql,
      'The server hangs up without a greeting',
      'MySQL: <address> closed the connection before its greeting',
      {
        instead: { greeting: 'hangs up' },
      },
    ),
    ofMembers(
      'Several members, of which none answers',
      'MongoDB: no member answers: <address> (MongoDB: <address> closed the connection before its greeting), <other> (connection reset by <other>)',
      ['hangs up', 'resets'],
    ),
    of(postgresql, 'The connection is reset in the middle', 'connection reset by <address>', {
      instead: { 'sign-in': 'resets' },
    }),
    {
      ...of(
        mySql,
        'The server accepts, and says nothing',
        'no answer within <limit> s (connected, waiting for the first byte)',
        {
          instead: { greeting: 'silence' },
        },
      ),
      atLimit: true,
    },
    {
      ...of(postgresql, 'The server says nothing to a sign-in', 'no answer within <limit> s (signing in)', {
        instead: { 'sign-in': 'silence' },
      }),
      atLimit: true,
    },
    {
      ...of(
        redis,
        'The query takes longer than the check may',
        'no answer within <limit> s (running the query)',
        {
          instead: { query: 'silence' },
        },
      ),
      atLimit: true,
    },
  ],
}
