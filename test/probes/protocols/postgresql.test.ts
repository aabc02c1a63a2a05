import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { Network } from '../../../src/net/network.ts'
import { type ExternalServer, externalServer } from '../../support/postgres/external-server.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { until } from '../../support/until.ts'

describe('a check of a real PostgreSQL server', () => {
  let server: ExternalServer
  let network: Network
  let user: { username: string; password: string }

  before(async () => {
    server = await externalServer()
    network = testNetwork({
      extraAuthorities: [readFileSync(server.rootCert, 'utf8')],
      hostsFile: '/etc/hosts',
    })
    await server.createDatabase('watched')
    const { username, password } = new URL(server.url('watched'))
    user = { username, password: decodeURIComponent(password) }
  })

  const ask = (options: MonitorOptions = {}, changes: object = {}): Promise<CheckResult> =>
    check(
      'postgresql',
      { url: `postgresql://localhost:${server.port}/watched`, ...user, options, ...changes },
      { network },
    )
  const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
  const equal = (property: string, target: string | number | boolean | null): Assertion => ({
    ...{ source: 'json', property, comparison: 'equals', target, severity: 'down' },
  })

  for (const security of ['auto', 'starttls', 'implicit'] as const)
    it(`is up over TLS (${security})`, async () => {
      const result = await ask({ security })
      assert.deepEqual([...said(result), result.note], ['up', null, undefined])
      assert.notEqual(result.certificate, null)
    })

  it('is up without TLS where the monitor wants none', async () => {
    const result = await ask({ security: 'none' })
    assert.deepEqual([...said(result), result.certificate], ['up', null, null])
  })

  it('tells a wrong password and a database that is not there', async () => {
    assert.deepEqual(said(await ask({}, { password: 'wrong' })), [
      'down',
      'PostgreSQL: sign-in refused ("password authentication failed for user "app"")',
    ])
    assert.deepEqual(said(await ask({ database: 'another' })), [
      'down',
      'PostgreSQL: sign-in refused ("database "another" does not exist")',
    ])
  })

  it('reads values by their types, and the name of its database', async () => {
    const query = `SELECT 7::bigint AS whole, 1.5::numeric AS part, 9007199254740993::bigint AS exact, true AS yes,
      NULL AS none, '{"a": [1, 2]}'::jsonb AS doc, 'Größe' AS text, current_database() AS db`
    const assertions = [
      ...[equal('$[0].whole', 7), equal('$[0].part', 1.5), equal('$[0].exact', '9007199254740993')],
      ...[
        equal('$[0].yes', true),
        equal('$[0].none', null),
        equal('$[0].doc.a[1]', 2),
        equal('$[0].text', 'Größe'),
      ],
      equal('$[0].db', 'watched'),
      { source: 'answer', comparison: 'less_than', target: 8, severity: 'down' } as const,
    ]
    assert.deepEqual(said(await ask({ query, assertions })), ['up', null])
  })

  it('has no answer where there is no row', async () => {
    const missing: Assertion = { source: 'answer', comparison: 'exists', severity: 'down' }
    const result = await ask({ query: 'SELECT 1 WHERE false', assertions: [missing] })
    assert.deepEqual(said(result), ['down', 'answer is missing'])
  })

  it('changes nothing, by any statement', async () => {
    for (const [query, cause] of [
      ['CREATE TABLE made ()', 'cannot execute CREATE TABLE in a read-only transaction'],
      ['COMMIT; CREATE TABLE made ()', 'cannot insert multiple commands into a prepared statement'],
    ] as const)
      assert.deepEqual(said(await ask({ query })), ['down', `PostgreSQL: query failed ("${cause}")`])
    assert.deepEqual(await server.admin("SELECT 1 FROM pg_class WHERE relname = 'made'", 'watched'), [])
  })

  it('gives no copies, and no more rows than are read', async () => {
    assert.deepEqual(said(await ask({ query: 'COPY (SELECT 1) TO STDOUT' })), [
      'down',
      'PostgreSQL: query failed ("COPY is no query")',
    ])
    assert.deepEqual(said(await ask({ query: 'SELECT generate_series(1, 5000000)' })), [
      'down',
      'PostgreSQL: the query gives more than 1,000 rows',
    ])
    assert.deepEqual(said(await ask({ query: 'SELECT generate_series(1, 1000)' })), ['up', null])
    assert.deepEqual(said(await ask({ query: "SELECT repeat('x', 5000000)" })), [
      'down',
      'PostgreSQL: the query gives more than 1,048,576 bytes',
    ])
  })

  it('has a query end at the server that takes longer than the check', async () => {
    const result = await ask({ query: 'SELECT pg_sleep(600)' }, { request_timeout_seconds: 1 })
    // Whichever of both ends first.
    assert.match(
      result.errorMessage ?? '',
      /^PostgreSQL: query failed \("canceling statement due to statement timeout"\)$|^no answer within 1 s \(running the query\)$/,
    )
    const left = () =>
      server.admin(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()",
      )
    await until('the query to end', async () => (await left()).length === 0)
  })

  it('tells a server that is full', async () => {
    await server.admin('ALTER ROLE app CONNECTION LIMIT 0')
    const result = await ask()
    await server.admin('ALTER ROLE app CONNECTION LIMIT -1')
    assert.deepEqual(said(result), [
      'down',
      'PostgreSQL: sign-in refused ("too many connections for role "app"")',
    ])
  })
})
