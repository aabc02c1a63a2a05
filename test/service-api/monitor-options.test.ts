import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { MonitorType } from '../../src/core/monitors/monitor-types.ts'
import { HEARTBEATS } from '../../src/core/monitors/options/heartbeats.ts'
import { OPTION_NAMES, optionsOfType } from '../../src/core/monitors/options/monitor-options.ts'
import { shownOptions } from '../../src/core/monitors/options/secret-options.ts'
import { suiteScope } from '../support/scope.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { openMcpClient } from '../support/services/mcp-client.ts'
import { peopleOf } from '../support/services/people.ts'
import { type Commander, commander } from '../support/services/remote-command.ts'

const EVERY = { attempts: 3, retry_seconds: 30, recovery_checks: 2, inverted: true, repeat_minutes: 60 }

const OF_JOB = {
  schedule: '0 3 * * 1-5',
  timezone: 'Europe/Berlin',
  grace_seconds: 600,
  max_duration_seconds: 1_800,
  expect_exit: [0, 3],
  body_assertions: [{ source: 'body', comparison: 'contains', target: 'done', severity: 'down' }],
}

describe('the options of a monitor', () => {
  const scope = suiteScope()
  let service: AskedService
  let team: TestTeam
  let person: Commander

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
    person = commander(service.services)
    scope.after(async () => person.close())
  })

  /** As a member of its own each time: the rate limit is a member's. */
  const call = async (method: string, path: string, body?: unknown) =>
    service.call(await service.createToken(team.id, 'admin'), method, path, body)
  async function data(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }
  const create = (body: object) => data('POST', '/monitors', { ...MONITORS.http, ...body })

  it('are null where nothing is set, and stand at the end of an answer', async () => {
    for (const body of [{}, { options: null }, { options: {} }, { options: { attempts: null } }]) {
      const monitor = await create(body)
      assert.equal(monitor.options, null)
      assert.equal(Object.keys(monitor).at(-1), 'options')
    }
  })

  it('name no socket of this machine, which the operator does not allow', async () => {
    const options = { docker_host: 'unix:///var/run/docker.sock' }
    const { id } = await data('POST', '/monitors', MONITORS.docker)
    for (const refused of [
      await call('POST', '/monitors', { ...MONITORS.docker, options }),
      await call('PATCH', `/monitors/${id}`, { options }),
    ]) {
      assertInvalid(refused, ['options.docker_host'])
      assert.match(JSON.stringify(refused.body), /socket \/var\/run\/docker\.sock is not allowed/)
    }
  })

  it('are answered as they were set, in their order, without what was not', async () => {
    const { id, options } = await create({ options: { inverted: false, attempts: 3 } })
    assert.equal(JSON.stringify(options), '{"attempts":3,"inverted":false}')
    assert.deepEqual((await data('GET', `/monitors/${id}`)).options, options)
    assert.deepEqual((await service.call(team.viewer, 'GET', `/monitors/${id}`)).body.data.options, options)
  })

  for (const method of ['PATCH', 'PUT'])
    it(`are merged by key in ${method}: null removes one or all, and the last one leaves null`, async () => {
      const { id } = await create({ options: { attempts: 3, inverted: true } })
      const change = async (options: unknown) => (await data(method, `/monitors/${id}`, { options })).options
      assert.deepEqual(await change({ retry_seconds: 5 }), { attempts: 3, retry_seconds: 5, inverted: true })
      assert.deepEqual(await change({ attempts: null, inverted: false }), {
        retry_seconds: 5,
        inverted: false,
      })
      assert.deepEqual(await change({}), { retry_seconds: 5, inverted: false })
      assert.deepEqual((await data(method, `/monitors/${id}`, { name: 'Other' })).options, {
        retry_seconds: 5,
        inverted: false,
      })
      assert.equal(await change({ retry_seconds: null, inverted: null }), null)
      assert.deepEqual(await change(EVERY), EVERY)
      assert.equal(await change(null), null)
    })

  const REFUSED: [options: unknown, field: string, message: string][] = [
    [{ foo: 1 }, 'options.foo', 'options.foo is not known here'],
    [{ foo: null }, 'options.foo', 'options.foo is not known here'],
    [[], 'options', 'options must be an object, got an array'],
    ['x', 'options', 'options must be an object, got "x"'],
    [{ attempts: 0 }, 'options.attempts', 'options.attempts must be at least 1, got 0'],
    [{ attempts: 11 }, 'options.attempts', 'options.attempts must be at most 10, got 11'],
    [{ attempts: '3' }, 'options.attempts', 'options.attempts must be an integer, got "3"'],
    [{ retry_seconds: 0 }, 'options.retry_seconds', 'options.retry_seconds must be at least 1, got 0'],
    [
      { retry_seconds: 3_601 },
      'options.retry_seconds',
      'options.retry_seconds must be at most 3600, got 3601',
    ],
    [
      { recovery_checks: 11 },
      'options.recovery_checks',
      'options.recovery_checks must be at most 10, got 11',
    ],
    [{ inverted: 'yes' }, 'options.inverted', 'options.inverted must be true or false, got "yes"'],
    [
      { repeat_minutes: 1_441 },
      'options.repeat_minutes',
      'options.repeat_minutes must be at most 1440, got 1441',
    ],
  ]
  for (const [options, field, message] of REFUSED)
    it(`are refused as ${JSON.stringify(options)}, at ${field}`, async () => {
      const { id } = await create({})
      for (const answer of [
        await call('POST', '/monitors', { ...MONITORS.http, options }),
        await call('PATCH', `/monitors/${id}`, { options }),
      ]) {
        assertInvalid(answer, [field])
        assert.deepEqual(answer.body.errors[field], [message])
      }
    })

  it('are those of the type: a heartbeat cannot be tried again, and says so', async () => {
    const heartbeat = { ...MONITORS.heartbeat, options: { attempts: 2, retry_seconds: null, inverted: true } }
    const refused = await call('POST', '/monitors', heartbeat)
    assertInvalid(refused, ['options.attempts', 'options.retry_seconds'])
    assert.deepEqual(refused.body.errors['options.attempts'], [
      'options.attempts is no option of a monitor of type heartbeat',
    ])
    const { id } = await data('POST', '/monitors', { ...MONITORS.heartbeat, options: { inverted: true } })
    assertInvalid(await call('PATCH', `/monitors/${id}`, { options: { attempts: 2 } }), ['options.attempts'])
    for (const body of Object.values(MONITORS))
      if (
        Object.keys(EVERY).every((name) => optionsOfType(body.type as MonitorType).includes(name as never))
      ) {
        const options = { ...('options' in body && body.options), ...EVERY }
        const shown = shownOptions(options, 'owner')
        assert.deepEqual((await data('POST', '/monitors', { ...body, options })).options, shown)
      }
  })

  it('stand in the audit log one by one, before and after', async () => {
    const people = peopleOf(service)
    const { id: teamId, owner } = await people.team()
    const { id } = await owner.data(teamId, 'POST', '/monitors', {
      ...MONITORS.http,
      options: { attempts: 3 },
    })
    await owner.data(teamId, 'PATCH', `/monitors/${id}`, { options: { attempts: 4, inverted: true } })
    await owner.data(teamId, 'PATCH', `/monitors/${id}`, { options: { attempts: null } })
    await owner.data(teamId, 'PATCH', `/monitors/${id}`, { options: null })
    const entries = await owner.data(teamId, 'GET', '/audit-log')
    assert.deepEqual(
      entries
        .filter(({ action }: { action: string }) => action === 'updateMonitor')
        .map(({ changes }: { changes: unknown }) => changes),
      [
        [{ field: 'options inverted', before: 'true', after: null }],
        [{ field: 'options attempts', before: '4', after: null }],
        [
          { field: 'options attempts', before: '3', after: '4' },
          { field: 'options inverted', before: null, after: 'true' },
        ],
      ],
    )
  })

  async function run(args: string[], files: Record<string, string> = {}) {
    const environment = { url: service.url, token: await service.createToken(team.id, 'admin') }
    return person.run(args, { files, environment })
  }
  const shown = async (id: number | string) => (await data('GET', `/monitors/${id}`)).options

  it('are flags of the command line: text, number or switch after =, JSON after :=', async () => {
    const made = await run([
      ...['monitors', 'create', '--name', 'By flags', '--type', 'http', '--url', 'http://127.0.0.1:9/'],
      ...['--check-interval-minutes', '5', '--option', 'attempts=3', '--option', 'inverted=true'],
      ...['--option', 'repeat_minutes:=60'],
    ])
    assert.equal(made.status, 0, made.err)
    const id = made.out.trim()
    assert.deepEqual(await shown(id), { attempts: 3, inverted: true, repeat_minutes: 60 })
    const update = async (...args: string[]) => {
      const ran = await run(['monitors', 'update', id, ...args])
      assert.equal(ran.status, 0, ran.err)
      return shown(id)
    }
    assert.deepEqual(await update('--option', 'attempts=', '--option', 'retry_seconds=7'), {
      ...{ retry_seconds: 7, inverted: true, repeat_minutes: 60 },
    })
    assert.deepEqual(await update('--option', 'retry_seconds:=null'), { inverted: true, repeat_minutes: 60 })
    assert.match((await run(['monitors', 'show', id])).out, /options +inverted: true, repeat_minutes: 60/)
    assert.equal(await update('--no-options'), null)
    for (const [given, said] of [
      ['foo=1', '--option foo is not known here'],
      ['attempts=many', '--option attempts must be an integer, got "many"'],
      ['attempts', "It takes a name and a value, such as 'attempts=3'"],
      ['attempts:={', 'What stands after attempts:= is no JSON'],
    ] as const) {
      const { status, err } = await run(['monitors', 'update', id, '--option', given])
      assert.notEqual(status, 0)
      assert.ok(err.includes(said), err)
    }
  })

  it('are declared: what the file lacks goes, and what it says is done', async () => {
    const declared = (options?: object) => ({
      monitors: [
        { ...MONITORS.http, name: 'Declared', url: 'http://127.0.0.1:9/d', ...(options && { options }) },
      ],
    })
    const apply = async (options?: object) => {
      const ran = await run(['apply', 'all.json'], { 'all.json': JSON.stringify(declared(options)) })
      assert.equal(ran.status, 0, ran.err)
      return ran.out
    }
    const found = async () =>
      (await data('GET', '/monitors?per_page=100')).find(({ name }: { name: string }) => name === 'Declared')
    assert.match(await apply({ attempts: 3, inverted: true }), /options\.attempts: 3/)
    assert.deepEqual((await found()).options, { attempts: 3, inverted: true })
    assert.match(await apply({ inverted: true, attempts: 3 }), /Nothing to change/)
    const said = await apply({ attempts: 2 })
    assert.match(said, /options\.attempts: 3 → 2/)
    assert.match(said, /options\.inverted: true → none/)
    assert.deepEqual((await found()).options, { attempts: 2 })
    const { monitors } = JSON.parse((await run(['export', '--format', 'json'])).out)
    const exported = monitors.find(({ name }: { name: string }) => name === 'Declared')
    assert.deepEqual(exported.options, { attempts: 2 })
    await apply()
    assert.equal((await found()).options, null)
    const refused = await run(['apply', 'all.json'], { 'all.json': JSON.stringify(declared({ foo: 1 })) })
    assert.match(refused.err, /monitors\.0\.options\.foo is not known here/)
  })

  it('of a job go through every door, and when it is due comes out alone', async () => {
    const settings = (options: Record<string, unknown>) => {
      const { next_due_at, ...rest } = options
      assert.match(String(next_due_at), /T0[12]:00:00\.000000Z$/)
      return rest
    }
    const { id, options } = await data('POST', '/monitors', { ...MONITORS.heartbeat, options: OF_JOB })
    assert.deepEqual(settings(options), OF_JOB)
    assert.equal(Object.keys(options).at(-1), 'next_due_at')

    const flags = Object.entries(OF_JOB).flatMap(([name, value]) => [
      '--option',
      typeof value === 'object' ? `${name}:=${JSON.stringify(value)}` : `${name}=${value}`,
    ])
    const made = await run([
      ...['monitors', 'create', '--name', 'Job by flags', '--type', 'heartbeat'],
      ...['--check-interval-minutes', '5', ...flags],
    ])
    assert.equal(made.status, 0, made.err)
    assert.deepEqual(settings(await shown(made.out.trim())), OF_JOB)

    const mcp = await openMcpClient(scope, service, await service.createToken(team.id, 'admin'))
    const { structuredContent } = await mcp.call('create-monitor', { ...MONITORS.heartbeat, options: OF_JOB })
    assert.deepEqual(settings(structuredContent.data.options), OF_JOB)

    const file = JSON.stringify({
      monitors: [{ ...MONITORS.heartbeat, name: 'Declared job', options: OF_JOB }],
    })
    const apply = () => run(['apply', 'all.json'], { 'all.json': file })
    assert.match((await apply()).out, /created monitor Declared job/)
    assert.match((await apply()).out, /Nothing to change/)
    const { monitors } = JSON.parse((await run(['export', '--format', 'json'])).out)
    const exported = monitors.find(({ name }: { name: string }) => name === 'Declared job')
    assert.deepEqual(exported.options, OF_JOB)

    const changed = { ...options, grace_seconds: 60 }
    assert.deepEqual(settings((await data('PUT', `/monitors/${id}`, { options: changed })).options), {
      ...OF_JOB,
      grace_seconds: 60,
    })
  })

  it('are described to AI clients, and to readers of the document by type', async () => {
    const mcp = await openMcpClient(scope, service, await service.createToken(team.id, 'admin'))
    const tool = (await mcp.tools()).find(({ name }) => name === 'create-monitor')
    assert.ok(tool)
    // biome-ignore lint/suspicious/noExplicitAny: the shape is the document's
    const [options] = (tool.inputSchema.properties as any).options.anyOf
    assert.deepEqual(
      Object.keys(options.properties),
      OPTION_NAMES.filter((name) => name !== 'next_due_at'),
    )
    assert.deepEqual(options.properties.inverted, {})
    // biome-ignore lint/suspicious/noExplicitAny: the shape is the document's
    const document: any = await (await fetch(`${service.url}/api/v1/openapi.json`)).json()
    const { schemas } = document.components
    const [byType] = schemas.Monitor.allOf
    assert.deepEqual(
      // biome-ignore lint/suspicious/noExplicitAny: the shape is the document's
      byType.oneOf.map(({ properties }: any) => properties.type.const),
      schemas.MonitorType.enum,
    )
    assert.deepEqual(Object.keys(schemas.HttpOptions.properties), optionsOfType('http'))
    assert.deepEqual(Object.keys(schemas.IcmpOptions.properties), [...Object.keys(EVERY), 'depends_on'])
    assert.match(
      schemas.HttpSentOptions.properties.attempts.description,
      /Not for `heartbeat`, `group`, `manual`\.$/,
    )
    const heartbeat = [...Object.keys(HEARTBEATS), ...Object.keys(EVERY).slice(2), 'depends_on']
    assert.deepEqual(Object.keys(schemas.HeartbeatSentOptions.properties), heartbeat)
    assert.equal(schemas.HeartbeatOptions.properties.next_due_at.readOnly, true)
  })
})
