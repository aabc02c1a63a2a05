// npm test leaves this out: it starts a service for each number of proxies, and reaches limits of requests (seconds of a core).
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import {
  FORWARDED,
  type ForwardedCase,
  type ForwardedClient,
  INSIDE,
  PEER,
} from '../../../support/net/forwarded-headers.ts'
import { addRow } from '../../../support/records/rows.ts'
import { addTeam } from '../../../support/records/teams.ts'
import { PASSWORD } from '../../../support/services/people.ts'
import { createQuickAccount } from '../../../support/services/quick-account.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { storePage } from '../../../support/status-pages/stored-pages.ts'
import { until } from '../../../support/until.ts'

const PROXY = '127.0.0.1'
const EMAIL = 'owner@proxies.example.com'
/** The limit of sign-ins by unknown browsers, by the client's network. */
const LIMIT = 'entering-address:'

type Header = ForwardedCase['header']

for (const hops of [0, 1, 2, 3]) {
  describe(`behind ${hops} trusted proxies`, () => {
    let service: ServiceHere
    let userId: number

    before(async () => {
      service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: String(hops) })
      const { services } = service
      const teamId = await addTeam(services.db)
      for (const [slug, network] of [
        ['inside', INSIDE],
        ['proxy', `${PROXY}/32`],
      ] as const) {
        await storePage(services, teamId, { slug, visibility: 'networks', networks: [network] })
      }
      userId = (await createQuickAccount(services, { email: EMAIL, name: 'Owner', password: PASSWORD })).id
      // The header is as long as the chain of proxies.
      const own = Array<string>(hops).fill(PROXY).join(', ')
      await until('the pages are known', async () => (await statusOf('proxy', own)) === 200)
    })
    after(() => service.close())

    /** Several values are sent as so many lines. */
    function send(
      method: string,
      path: string,
      forwarded?: Header,
      cookie = '',
      body = '',
    ): Promise<{ status: number; cookies: string[] }> {
      const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookies: string[] }>()
      const headers = {
        origin: service.url,
        'content-type': 'application/json',
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
        ...(cookie && { cookie }),
      }
      const sent = request(service.url + path, { method, headers }, (answer) => {
        answer
          .resume()
          .on('end', () =>
            resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [] }),
          )
      })
      sent.on('error', reject).end(body)
      return promise
    }

    const statusOf = async (slug: string, forwarded?: Header) =>
      (await send('GET', `/status/${slug}`, forwarded)).status

    /** Every case that can be sent: a header holds Latin letters only. */
    const cases = FORWARDED.filter(({ header }) =>
      [header].flat().every((line) => /^[\t\x20-\x7e]*$/.test(line)),
    )

    it('a page for networks is shown to those alone whom the proxies name', async () => {
      for (const { header, clients } of cases) {
        const { address, unnamed = false } = clients[hops] as ForwardedClient
        const isInside = !unnamed && address.startsWith('10.9.9.')
        const isProxy = !unnamed && address === PEER
        assert.deepEqual(
          [await statusOf('inside', header), await statusOf('proxy', header)],
          [isInside ? 200 : 404, isProxy ? 200 : 404],
          JSON.stringify(header).slice(0, 200),
        )
      }
    })

    it('limits, sessions and the log of the account have the address that counts', async () => {
      const { pool } = service.services.db
      for (const { header, clients } of cases) {
        const { address } = clients[hops] as ForwardedClient
        const counted = address === PEER ? PROXY : address
        await pool.query('TRUNCATE rate_limits, sessions, account_events')
        const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
        const { status, cookies } = await send('POST', '/auth/sign-in', header, '', body)
        assert.equal(status, 204)
        const { id } = await addRow(service.services.db, 'passkeys', passkeyOf(userId))
        const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
        assert.equal((await send('DELETE', `/auth/passkeys/${id}`, header, cookie)).status, 204)
        const { rows } = await pool.query<{ key: string; session: string; logged: string }>(
          `SELECT (SELECT string_agg(key, ' ') FROM rate_limits WHERE key LIKE $1) AS key,
                  (SELECT string_agg(address, ' ') FROM sessions) AS session,
                  (SELECT string_agg(address, ' ') FROM account_events) AS logged`,
          [`${LIMIT}%`],
        )
        const network =
          { '2001:db8::1': '2001:db8:0:0::/64', 'fe80::1': 'fe80:0:0:0::/64' }[counted] ?? counted
        assert.deepEqual(
          rows,
          [{ key: LIMIT + network, session: counted, logged: counted }],
          JSON.stringify(header).slice(0, 200),
        )
      }
    })
  })
}

function passkeyOf(userId: number) {
  return {
    user_id: userId,
    name: 'Key',
    credential_id: crypto.randomUUID(),
    public_key: Buffer.alloc(1),
    counter: 0,
    transports: [],
    created_at: new Date(),
  }
}
