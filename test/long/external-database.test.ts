// npm test leaves this out: it moves a service to servers that are restarted, replaced by a standby and killed (minutes).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type ExternalServer, startExternalServer } from '../support/postgres/external-server.ts'
import { assertUnharmed, setScene } from '../support/probing/trouble-scene.ts'
import { suiteScope } from '../support/scope.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import { runCommand } from '../support/services/command.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'

/** Top to bottom: one service moves from its embedded database to another server, which fails in every way. */
describe('a database elsewhere', () => {
  const scope = suiteScope()
  let server: ExternalServer
  let standby: ExternalServer
  let service: TestService
  let client: TeamClient
  let receiver: Receiver

  before(async () => {
    server = await startExternalServer(scope)
    for (const statement of documentedStatements()) await server.admin(statement)
    service = await startTestService({ DATABASE_URL: '' })
    scope.after(() => service.close())
    client = await teamClient(service)
    receiver = await startReceiver(scope, replyWith(204))
  })

  const urlOf = (query = '') =>
    `postgres://elsewhere:a%20long%20password@localhost:${server.port}/elsewhere${query}`
  /** The messages that the receiver got, each once however often it came. */
  const alerts = (): { event: string; id: number }[] => {
    const messages = new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body]))
    return [...messages.values()].map((body) => JSON.parse(body))
  }
  const well = async () => (await fetch(`${service.url}/health`)).ok
  const move = () => runCommand(service.env, ['move-database'], urlOf())

  it('takes everything over by one command, once the service is stopped', async (t) => {
    const scene = await setScene(t, service, client)
    const contact = await client.webhook(receiver)
    await service.letGo()
    const running = await move()
    assert.deepEqual([running.status, running.out], [1, ''])
    assert.match(running.err, /the service is running: stop all of its processes first/)

    await service.signal('SIGTERM')
    const moved = await move()
    assert.equal(moved.status, 0, moved.err)
    assert.match(
      moved.out,
      /^copied \d+ rows of \d+ tables to localhost:\d+\/elsewhere, and counted them there\n$/,
    )
    assert.match(moved.err, /^monitors: 3 rows$/m)
    const keyFile = join(service.dataDir, 'secret.key')
    assert.ok(moved.err.includes(`SECRET_KEY="$(cat '${keyFile}')"`), moved.err)

    service.env.DATABASE_URL = urlOf(`?sslmode=verify-full&sslrootcert=${server.rootCert}`)
    service.env.SECRET_KEY = readFileSync(keyFile, 'utf8').trim()
    await service.start()
    await service.takeUp()
    const contacts = await client.data('GET', '/notification-contacts')
    const { config } = contacts.find(({ id }: { id: number }) => id === contact.id)
    assert.deepEqual(config, contact.config, 'what is sealed opens with the key')
    await assertUnharmed(scene, service, client)
  })

  it('is spoken of by the doctor, and named in one line when it is out of reach', async () => {
    const { data } = await runCommand(service.env, ['doctor', '--json'])
    const { state, detail } = data.find(({ part }: { part: string }) => part === 'database')
    assert.equal(state, 'working')
    assert.match(
      detail,
      /^PostgreSQL 18\.\d+ on localhost, with TLS, schema \d+, \d+ of 100 connections used$/,
    )
    const wrong = { ...service.env, DATABASE_URL: server.url('nowhere') }
    const doctor = await runCommand(wrong, ['doctor'])
    assert.equal(doctor.status, 1)
    assert.match(
      doctor.out,
      /^FAIL {2}database: cannot use PostgreSQL at localhost:\d+ as app: there is no database/m,
    )
    await server.createDatabase('newer')
    const newer =
      'CREATE TABLE schema_migrations (version int, name text); INSERT INTO schema_migrations VALUES (999)'
    await server.admin(`SET ROLE app; ${newer}`, 'newer')
    const serve = await runCommand({ ...service.env, PORT: '0', DATABASE_URL: server.url('newer') }, [
      'serve',
    ])
    assert.deepEqual([serve.status, serve.out], [1, ''])
    assert.match(
      serve.err,
      /^the database is at schema 999, newer than the \d+ this version of Upbeat knows; .*\n$/,
    )
  })

  it('that is restarted is found again, and nothing is opened, lost or doubled by it', async (t) => {
    const scene = await setScene(t, service, client)
    await service.letGo()
    await server.stop('SIGINT')
    const failing = await (await fetch(`${service.url}/health`)).json()
    assert.deepEqual(failing, { status: 'unavailable', failing: 'database' })
    await server.start()
    await until('the service to be well', well)
    await service.takeUp()
    await assertUnharmed(scene, service, client)
  })

  it('that dies is replaced by its standby, and nothing is opened, lost or doubled by it', async (t) => {
    await service.letGo()
    await service.signal('SIGTERM')
    standby = await server.addStandby()
    // Both then have what has been committed.
    await server.admin(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await server.admin('SELECT pg_reload_conf()')
    const both = `localhost:${standby.port},localhost:${server.port}`
    service.env.DATABASE_URL = urlOf().replace(`localhost:${server.port}`, both)
    await service.start()
    await service.takeUp()

    const scene = await setScene(t, service, client)
    const target = await startSwitchTarget(t)
    const breaking = await client.monitor({ url: target.url })
    await client.untilStatus(breaking.id, 'up')
    await until('the alert of the scene', () => alerts().some(({ id }) => id === scene.down.id))
    const told = alerts().length
    await service.letGo()
    await server.stop('SIGKILL')
    target.status = 503
    await until('the service to notice', async () => !(await well()))
    await standby.admin('SELECT pg_promote()')
    await until('the service to be well', well)
    await service.takeUp()
    await client.untilStatus(breaking.id, 'down')
    await until('the alert', () => alerts().some(({ id }) => id === breaking.id))
    await assertUnharmed(scene, service, client)
    assert.equal((await client.incidents(breaking.id)).length, 1)
    // Whether the job was late is known from its own log alone.
    const ofTargets = alerts()
      .slice(told)
      .filter(({ id }) => id !== scene.job.id)
    assert.deepEqual(
      ofTargets.map(({ event, id }) => [event, id]),
      [['monitor.down', breaking.id]],
    )
  })
})

/** The statements that the page tells an operator to run; the name `upbeat` is taken here. */
function documentedStatements(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/postgresql.md'), 'utf8')
  const [, block = ''] = /^```sql\n(.*?)^```$/ms.exec(page) ?? []
  const statements = block.replaceAll('upbeat', 'elsewhere').split(';\n').filter(Boolean)
  assert.equal(statements.length, 2)
  return statements
}
