import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import * as ber from '../../src/probes/packets/ber.ts'
import { startEcho } from '../support/line-servers/echo.ts'
import { fail, type GrpcOptions, startGrpcServer } from '../support/protocols/grpc-server.ts'
import { type LdapOptions, startLdapServer } from '../support/protocols/ldap-server.ts'
import {
  beAgent,
  beRadius,
  beSip,
  minecraftStatus,
  type PacketAnswer,
  tellTime,
} from '../support/protocols/packet-answers.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { startSaying, startTcp } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import type { Case, Group } from './case.ts'

const authority = createAuthority('Protocols of the catalogue')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const USER = { name: 'watcher', password: 'sesame-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }

type Settings = { username?: string; password?: string; options?: MonitorOptions }

const settingsOf = (url: string, settings: Settings) => ({ url, ...settings }) as Partial<ProbeSettings>
const verdict = (cause: string | null) => ({
  status: cause === null ? ('up' as const) : ('down' as const),
  cause,
})

/** A check of a server of packets. */
const packets = (
  type: ProbeSettings['type'],
  name: string,
  cause: string | null,
  answer: PacketAnswer,
  settings: Settings = {},
): Case => ({
  ...{ name, type, ...verdict(cause) },
  start: async (scope) => {
    const heard = Promise.withResolvers<void>()
    const { port } = await startEcho(scope, (packet) => {
      heard.resolve()
      return answer(packet)
    })
    return { settings: settingsOf(`${type}://127.0.0.1:${port}`, settings), saidAll: () => heard.promise }
  },
})

const silence: PacketAnswer = () => null
const garbage: PacketAnswer = () => Buffer.from('?')
const OID: MonitorOptions = { oid: '1.3.6.1.2.1.1.1.0' }
const RADIUS = { ...SIGNED_IN, options: { shared_secret: 'open-Sesame' } }
const radius = beRadius({ secret: 'open-Sesame', ...USER })

const grpc = (name: string, cause: string | null, server: GrpcOptions, settings: Settings = {}): Case => ({
  ...{ name, type: 'grpc', ...verdict(cause) },
  start: async (scope) => {
    const scheme = server.certificate ? 'grpcs' : 'grpc'
    const { port, reached } = await startGrpcServer(scope, server)
    return {
      ...{ settings: settingsOf(`${scheme}://127.0.0.1:${port}`, settings), saidAll: () => reached },
      ...{ network, authority: authority.pem, words: { address: `127.0.0.1:${port}` } },
    }
  },
})

const ldap = (name: string, cause: string | null, server: LdapOptions, settings: Settings = {}): Case => ({
  ...{ name, type: 'ldap', ...verdict(cause) },
  start: async (scope) => {
    const { port, reached } = await startLdapServer(scope, { certificate, user: USER, ...server })
    return {
      ...{ settings: settingsOf(`ldap://127.0.0.1:${port}`, settings), saidAll: () => reached },
      ...{ network, authority: authority.pem, words: { address: `127.0.0.1:${port}` } },
    }
  },
})

/** A check of a port that says this to what it is sent, and hangs up. */
const saying = (
  type: ProbeSettings['type'],
  name: string,
  cause: string,
  answer: string | Buffer,
  settings: Settings = {},
): Case => ({
  ...{ name, type, ...verdict(cause) },
  start: async (scope) => {
    const target = await startSaying(scope, answer)
    const words = { address: `127.0.0.1:${target.port}` }
    return { settings: settingsOf(`${type}://${words.address}`, settings), targets: [target], words }
  },
})

/** Checks that speak a protocol of one kind of server. */
export const protocols: Group = {
  title: 'gRPC, directories, time servers, devices, telephones and games',
  cases: [
    grpc('The server says that it does not serve', 'gRPC status NOT_SERVING', { healths: { '': 2 } }),
    grpc(
      'The server does not know the service',
      'gRPC error 5 NOT_FOUND ("unknown service")',
      {},
      {
        options: { service: 'shop.Nothing' },
      },
    ),
    grpc('The server says nothing of its health', 'gRPC error 12 UNIMPLEMENTED', {
      instead: (stream) => fail(stream, 12, ''),
    }),
    grpc('A website answers', 'HTTP 404 (expected 200)', {
      instead: (stream) => stream.respond({ ':status': 404 }, { endStream: true }),
    }),
    grpc('The same, with success', 'gRPC: the answer is not one of gRPC', {
      instead: (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html' })
        stream.end('hello')
      },
    }),
    grpc('The answer ends without a status', 'gRPC: the answer has no status', {
      instead: (stream) =>
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { endStream: true }),
    }),
    grpc('The answer has no end', 'gRPC: the answer is longer than an answer of this protocol may be', {
      instead: (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
        const piece = Buffer.alloc(16_384)
        const write = () => {
          while (!stream.destroyed && stream.write(piece));
          if (!stream.destroyed) stream.once('drain', write)
        }
        write()
      },
    }),
    grpc('The answer is compressed', 'gRPC: the answer is compressed, though it was asked for as it is', {
      instead: (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
        stream.end(Buffer.from([1, 0, 0, 0, 0]))
      },
    }),
    grpc('The server breaks the call off', 'gRPC: the server broke the call off (REFUSED_STREAM)', {
      instead: (stream) => stream.close(7),
    }),
    grpc(
      'The server offers no reflection, and a method is called',
      'gRPC: the server offers no reflection, which a method is called by',
      { reflection: null },
      { options: { method: 'shop.Orders/Get' } },
    ),
    grpc(
      'The method is not there',
      'gRPC: the server has no method shop.Orders/Lose',
      {},
      {
        options: { method: 'shop.Orders/Lose' },
      },
    ),
    grpc('The certificate has expired', 'certificate expired 3 days ago (CN=shop.example)', {
      certificate: expired,
    }),
    saying(
      'grpc',
      'The server speaks HTTP/1.1',
      'gRPC: <address> does not speak HTTP/2',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
    ),
    {
      ...grpc(
        'The server accepts, and says nothing',
        'no answer within <limit> s (connected, waiting for the first byte)',
        {
          instead: () => {},
        },
      ),
      atLimit: true,
    },
    ldap(
      'Another password',
      'LDAP: sign-in refused ("49 invalidCredentials")',
      { tls: 'starttls' },
      {
        ...SIGNED_IN,
        password: 'sesame-8',
      },
    ),
    ldap(
      'The server offers no StartTLS, and a user would sign in',
      'LDAP: not signed in, as the server offers no STARTTLS and the password would be sent in the clear',
      {},
      SIGNED_IN,
    ),
    ldap(
      'StartTLS is required, and the server knows none',
      'LDAP: answer to StartTLS is "2 protocolError: unsupported extended operation" (expected 0 success)',
      {},
      { options: { security: 'starttls' } },
    ),
    ldap(
      'The entry is not there',
      'LDAP: answer about dc=example is "32 noSuchObject" (expected 0 success)',
      { tls: 'starttls' },
      { options: { base_dn: 'dc=example' } },
    ),
    ldap('The certificate of StartTLS has expired', 'certificate expired 3 days ago (CN=shop.example)', {
      ...{ tls: 'starttls', certificate: expired },
    }),
    ldap('Entries have no end', 'LDAP: the answer is longer than an answer of this protocol may be', {
      instead: { search: 'endless' },
    }),
    ldap('The server hangs up', 'LDAP: <address> closed the connection before its greeting', {
      instead: { search: 'hangs up' },
    }),
    saying(
      'ldap',
      'Something else listens there',
      'LDAP: greeting is "HTTP/1.1 400 Bad Request" (expected a message of LDAP)',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
    ),
    {
      ...ldap(
        'The server says nothing to a sign-in',
        'no answer within <limit> s (signing in)',
        {
          ...{ tls: 'starttls', instead: { bind: 'silence' } },
        },
        SIGNED_IN,
      ),
      atLimit: true,
    },
    packets(
      'ntp',
      'The server has lost its own time',
      'NTP: the server is not synchronized',
      tellTime({ leap: 3, stratum: 16 }),
    ),
    packets(
      'ntp',
      'The server wants to be asked less',
      'NTP: the server answers RATE instead of the time',
      tellTime({ stratum: 0, reference: 'RATE' }),
    ),
    packets(
      'ntp',
      'The server is too far from a clock',
      'NTP: stratum is 9 (expected at most 3)',
      tellTime({ stratum: 9 }),
      {
        options: { max_stratum: 3 },
      },
    ),
    packets(
      'ntp',
      'The server is too uncertain',
      'NTP: root dispersion is 900 ms (expected at most 500 ms)',
      tellTime({ dispersionMs: 900 }),
      {
        options: { max_dispersion_ms: 500 },
      },
    ),
    packets('ntp', 'What comes back is no time', 'NTP: the answer is not as this protocol has it', garbage),
    {
      ...packets(
        'ntp',
        'No packet comes back',
        'no answer within <limit> s (connected, waiting for the first byte)',
        silence,
      ),
      atLimit: true,
    },
    packets(
      'snmp',
      'The agent has no such object',
      'SNMP: 1.3.6.1.2.1.1.1.0 does not exist',
      beAgent({ value: ber.encode(0x80) }),
      { options: OID },
    ),
    packets('snmp', 'The agent refuses', 'SNMP: error 16 authorizationError', beAgent({ error: 16 }), {
      options: OID,
    }),
    packets(
      'snmp',
      'The value is another one than an assertion expects',
      'answer is "2" (expected 1)',
      beAgent({ value: ber.encodeInteger(2) }),
      {
        options: {
          ...OID,
          assertions: [{ source: 'answer', comparison: 'equals', target: 1, severity: 'down' }],
        },
      },
    ),
    packets(
      'snmp',
      'What comes back is no message',
      'SNMP: the answer is not as this protocol has it',
      garbage,
      { options: OID },
    ),
    {
      ...packets(
        'snmp',
        'Another community: agents are silent then',
        'no answer within <limit> s (connected, waiting for the first byte)',
        beAgent({ community: 'private' }),
        { options: OID },
      ),
      atLimit: true,
    },
    packets(
      'radius',
      'The server has another secret',
      'RADIUS: the answer is not signed with the shared secret',
      beRadius({ secret: 'other', ...USER }),
      RADIUS,
    ),
    packets(
      'radius',
      'The user is rejected, which an assertion does not expect',
      'answer is "Access-Reject" (expected "Access-Accept")',
      radius,
      {
        ...SIGNED_IN,
        password: 'sesame-8',
        options: {
          ...RADIUS.options,
          assertions: [{ source: 'answer', comparison: 'equals', target: 'Access-Accept', severity: 'down' }],
        },
      },
    ),
    packets('radius', 'The same without it: the server works', null, radius, {
      ...RADIUS,
      password: 'sesame-8',
    }),
    packets(
      'radius',
      'What comes back is no answer',
      'RADIUS: the answer is not as this protocol has it',
      garbage,
      RADIUS,
    ),
    packets(
      'sip',
      'The server refuses',
      'SIP: 503 Service Unavailable (expected 200)',
      beSip('503 Service Unavailable'),
    ),
    packets('sip', 'What comes back is no answer', 'SIP: the answer is not as this protocol has it', garbage),
    {
      ...packets(
        'sip',
        'The server is trying, and no more',
        'no answer within <limit> s (connected, waiting for the first byte)',
        beSip('100 Trying'),
      ),
      atLimit: true,
    },
    packets(
      'game',
      'What comes back is no answer',
      'game server: the answer is not as this protocol has it',
      garbage,
      {
        options: { game: 'css' },
      },
    ),
    saying(
      'game',
      'The same, of Minecraft',
      'game server: the answer is not as this protocol has it',
      minecraftStatus('hello'),
      { options: { game: 'minecraft' } },
    ),
    saying(
      'game',
      'Minecraft hangs up',
      'game server: <address> closed the connection before its answer',
      '',
      {
        options: { game: 'minecraft' },
      },
    ),
    {
      name: 'Minecraft resets the connection',
      type: 'game',
      ...verdict('connection reset by <address>'),
      start: async (scope) => {
        const target = await startTcp(scope, (socket) => socket.once('data', () => socket.resetAndDestroy()))
        const words = { address: `127.0.0.1:${target.port}` }
        return { settings: settingsOf(`game://${words.address}`, { options: { game: 'minecraft' } }), words }
      },
    },
  ],
}
