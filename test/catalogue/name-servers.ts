import type { Answer } from 'dns-packet'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { CODES, type Said, startNameServer } from '../support/name-servers/name-server.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import type { Case, Group } from './case.ts'

const NAME = 'shop.example'
const RECORDS: Answer[] = [{ type: 'A', name: NAME, data: '192.0.2.7' }]
const authority = createAuthority('Name servers of the catalogue')
const certificate = authority.issue({ names: ['127.0.0.1', 'localhost'] })

/** A check that asks a server which says this. */
function saying(said: Said, options: MonitorOptions = {}): Case['start'] {
  return async (scope) => {
    const transport = options.transport ?? 'udp'
    const { port } = await startNameServer(scope, () => said, { transport, certificate })
    const address = `127.0.0.1:${port}`
    const resolver = transport === 'https' ? `https://localhost:${port}/dns-query` : address
    return {
      settings: { url: `dns://${NAME}`, options: { resolver, ...options } },
      network: testNetwork({ extraAuthorities: [authority.pem] }),
      authority: authority.pem,
      words: { address },
    }
  }
}

const of = (name: string, cause: string, start: Case['start']): Case => ({
  ...{ name, type: 'dns', status: 'down', cause, start },
})

/** Checks of the type `dns` at name servers. Our own are doubted as those of look-ups are (`names.ts`). */
export const nameServers: Group = {
  title: 'DNS records',
  cases: [
    of('The name does not exist (NXDOMAIN)', `DNS: ${NAME} does not exist`, saying({ code: CODES.NXDOMAIN })),
    of(
      'The name has no record of the type',
      `DNS: ${NAME} has no MX record`,
      saying({ records: [] }, { record_type: 'MX' }),
    ),
    of('The name server answers SERVFAIL', `DNS: SERVFAIL for ${NAME}`, saying({ code: CODES.SERVFAIL })),
    of('The name server answers REFUSED', `DNS: REFUSED for ${NAME}`, saying({ code: CODES.REFUSED })),
    of(
      'DNSSEC is required, and the name server has not verified the answer',
      `DNS: the answer for ${NAME} is not authenticated (no AD flag)`,
      saying({ records: RECORDS }, { dnssec: true }),
    ),
    of(
      'The answer is another one than an assertion expects',
      'answer is "192.0.2.7" (expected "192.0.2.8")',
      saying(
        { records: RECORDS },
        { assertions: [{ source: 'answer', comparison: 'equals', target: '192.0.2.8', severity: 'down' }] },
      ),
    ),
    of(
      'The name server closes the connection',
      'DNS: <address> closed the connection without an answer',
      saying('hang up', { transport: 'tcp' }),
    ),
    of(
      'The name server answers what is no message of DNS',
      'DNS: invalid answer from <address>',
      saying({ bytes: Buffer.from('no message') }, { transport: 'tls' }),
    ),
    of(
      'The name server over HTTPS answers another status than 200',
      'DNS: HTTP 503 (expected 200)',
      saying('hang up', { transport: 'https' }),
    ),
    of('No name server listens there', 'connection refused by <address>', async (scope) => {
      const address = `127.0.0.1:${await closedPort(scope)}`
      return { settings: { url: `dns://${NAME}`, options: { resolver: address } }, words: { address } }
    }),
    {
      ...of(
        'The name server is silent',
        'no answer within <limit> s (looking up the name)',
        saying('silence'),
      ),
      atLimit: true,
    },
  ],
}
