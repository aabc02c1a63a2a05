import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as z from 'zod'
import { OPTIONS } from '../../src/core/monitors/options/entries.ts'
import type { Option } from '../../src/core/monitors/options/option.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import type { Commander } from '../support/services/remote-command.ts'

/** Options that were just invented. The first has a part that nobody gets back, the other is hidden from viewers. */
const INVENTED = {
  knock: {
    schema: z.object({
      door: z.string().max(64),
      word: z.string().min(1).max(64),
      times: z.int().optional(),
    }),
    description: 'How the check knocks.',
    group: 'connection',
    label: 'Knock',
    has: (type) => type === 'tcp',
    default: null,
    secrets: [{ at: ['word'], shownTo: 'nobody', boundTo: ['door'] }],
  },
  chant: {
    schema: z.string().min(1).max(64),
    description: 'What the check chants.',
    group: 'request',
    label: 'Chant',
    hint: 'Before it knocks.',
    has: (type) => type !== 'heartbeat',
    default: 'om',
    secrets: [{ at: [], shownTo: 'admins' }],
  },
} satisfies Record<string, Option>
// Everything that derives from the entries is read after this: a process of its own has only this file.
Object.assign(OPTIONS, INVENTED)

const MASK = '********'
const WORD = 'open-sesame-7141'
const CHANT = 'hidden-chant-2718'

const { MONITORS } = await import('../support/services/api-bodies.ts')
const { startServiceHere } = await import('../support/services/service-here.ts')
const { commander } = await import('../support/services/remote-command.ts')
const { openMcpClient } = await import('../support/services/mcp-client.ts')
const { peopleOf } = await import('../support/services/people.ts')
const { suiteScope } = await import('../support/scope.ts')
const { assertInvalid } = await import('../support/services/api-problems.ts')
const { openSecrets } = await import('../../src/store/monitors/monitor-columns.ts')
const { fieldsOf } = await import('../../src/contract/fields.ts')
const { MonitorOptions } = await import('../../src/core/monitors/options/monitor-options.ts')

describe('an option that was just invented', () => {
  const scope = suiteScope()
  let service: AskedService
  let team: TestTeam
  let person: Commander

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
    scope.after(() => service.close())
    team = await service.createTeam()
    person = commander(service.services)
    scope.after(async () => person.close())
  })

  const knock = (changes: object = {}) => ({ door: 'front', word: WORD, ...changes })
  const call = (method: string, path: string, body?: unknown, token = team.admin) =>
    service.call(token, method, path, body)
  async function data(method: string, path: string, body?: unknown, token?: string) {
    const answer = await call(method, path, body, token)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }
  const create = (options: object, changes: object = {}) =>
    data('POST', '/monitors', { ...MONITORS.tcp, ...changes, options })
  async function stored(id: number) {
    const { db, vault } = service.services
    const { rows } = await db.pool.query('SELECT * FROM monitors WHERE id = $1', [id])
    return { row: rows[0], opened: openSecrets(rows[0], vault).options as Record<string, unknown> }
  }

  it('is refused, read and answered by its entry, for the types that have it', async () => {
    const { id, options } = await create({ knock: knock({ times: 2 }), attempts: 2 })
    assert.deepEqual(options, { attempts: 2, knock: { door: 'front', word: MASK, times: 2 } })
    assert.deepEqual((await stored(id)).opened, { attempts: 2, knock: knock({ times: 2 }) })
    assertInvalid(await call('POST', '/monitors', { ...MONITORS.http, options: { knock: knock() } }), [
      'options.knock',
    ])
    assertInvalid(await call('PATCH', `/monitors/${id}`, { options: { knock: { door: 'back' } } }), [
      'options.knock.word',
    ])
  })

  it('is sealed at rest, and no message repeats it', async () => {
    const { id } = await create({ knock: knock(), chant: CHANT })
    const { row } = await stored(id)
    assert.doesNotMatch(JSON.stringify(row), new RegExp(`${WORD}|${CHANT}`))
    assert.deepEqual(row.options, { knock: { door: 'front', word: MASK }, chant: MASK })
    const tooLong = { knock: knock({ word: WORD.repeat(9) }), chant: 3.5 }
    const refused = await call('PATCH', `/monitors/${id}`, { options: tooLong })
    assertInvalid(refused, ['options.chant', 'options.knock.word'])
    assert.doesNotMatch(JSON.stringify(refused.body), new RegExp(`${WORD}|3\\.5`))
    const plain = await create({ attempts: 2 })
    assert.equal((await stored(plain.id)).row.sealed_options, null)
  })

  it('is masked for everybody, or for viewers, as its entry says', async () => {
    const { id } = await create({ knock: knock(), chant: CHANT })
    const masked = { door: 'front', word: MASK }
    for (const token of [team.owner, team.admin])
      assert.deepEqual((await data('GET', `/monitors/${id}`, undefined, token)).options, {
        ...{ knock: masked, chant: CHANT },
      })
    assert.deepEqual((await data('GET', `/monitors/${id}`, undefined, team.viewer)).options, {
      ...{ knock: masked, chant: MASK },
    })
    assert.doesNotMatch(
      JSON.stringify(await data('GET', '/monitors', undefined, team.viewer)),
      /hidden-chant|sesame/,
    )
  })

  it('keeps what is stored where its mask comes back, and only while that belongs to the same', async () => {
    const { id } = await create({ knock: knock(), chant: CHANT })
    const change = (options: object) => call('PATCH', `/monitors/${id}`, { options })
    assert.equal((await change({ knock: { door: 'front', word: MASK, times: 3 }, chant: MASK })).status, 200)
    assert.deepEqual((await stored(id)).opened, { knock: knock({ times: 3 }), chant: CHANT })
    const moved = await change({ knock: { door: 'back', word: MASK } })
    assertInvalid(moved, ['options.knock.word'])
    assert.match(
      moved.body.errors['options.knock.word'][0],
      /^options\.knock\.word must be given: \*{8} keeps/,
    )
    assertInvalid(await call('POST', '/monitors', { ...MONITORS.tcp, options: { chant: MASK } }), [
      'options.chant',
    ])
    assert.equal((await change({ knock: { door: 'back', word: 'other' } })).status, 200)
    assert.deepEqual((await stored(id)).opened, { knock: { door: 'back', word: 'other' }, chant: CHANT })
    assert.equal((await change({ knock: null, chant: null })).body.data.options, null)
    assert.equal((await stored(id)).row.sealed_options, null)
  })

  it('stands in the audit log with masks, also where only the secret changed', async () => {
    const people = peopleOf(service)
    const { id: teamId, owner } = await people.team()
    const { id } = await owner.data(teamId, 'POST', '/monitors', {
      ...MONITORS.tcp,
      options: { knock: knock() },
    })
    const options = { knock: knock({ word: 'another-word' }) }
    await owner.data(teamId, 'PATCH', `/monitors/${id}`, { options })
    const [entry] = await owner.data(teamId, 'GET', '/audit-log')
    const masked = JSON.stringify({ door: 'front', word: MASK })
    assert.deepEqual(entry.changes, [{ field: 'options knock', before: masked, after: masked }])
  })

  async function run(
    args: string[],
    around: { files?: Record<string, string>; variables?: Record<string, string> } = {},
  ) {
    const environment = { url: service.url, token: await service.createToken(team.id, 'admin') }
    return person.run(args, { ...around, environment })
  }

  it('is a flag, an argument of a tool, and in the document at its types', async () => {
    const json = JSON.stringify(knock())
    const made = await run([
      ...[
        'monitors',
        'create',
        '--name',
        'Flags',
        '--type',
        'tcp',
        '--url',
        'tcp://127.0.0.1',
        '--port',
        '9',
      ],
      ...['--check-interval-minutes', '5', '--option', `knock:=${json}`, '--option', `chant=${CHANT}`],
    ])
    assert.equal(made.status, 0, made.err)
    assert.deepEqual((await stored(Number(made.out))).opened, { knock: knock(), chant: CHANT })
    const mcp = await openMcpClient(scope, service, await service.createToken(team.id, 'admin'))
    const { structuredContent } = await mcp.call('create-monitor', {
      ...MONITORS.tcp,
      options: { knock: knock() },
    })
    assert.deepEqual(structuredContent.data.options, { knock: { door: 'front', word: MASK } })
    // biome-ignore lint/suspicious/noExplicitAny: the shape is the document's
    const document: any = await (await fetch(`${service.url}/api/v1/openapi.json`)).json()
    const { TcpSentOptions, HttpSentOptions, HeartbeatOptions } = document.components.schemas
    assert.match(TcpSentOptions.properties.knock.description, /^How the check knocks\. For `tcp`\.$/)
    assert.deepEqual(
      [HttpSentOptions, HeartbeatOptions].map(({ properties }) =>
        ['knock', 'chant'].map((key) => key in properties),
      ),
      [
        [false, true],
        [false, false],
      ],
    )
    assert.equal(fieldsOf(MonitorOptions).at(-1)?.name, 'chant')
  })

  it('is exported as a reference, which apply keeps or fills, and declared by key', async () => {
    const name = 'Exported'
    const { id } = await create({ knock: knock(), chant: CHANT }, { name })
    const exported = await run(['export', '--format', 'json'])
    const variable = `MONITOR_${id}_KNOCK_WORD`
    assert.match(exported.err, new RegExp(`These secrets cannot be read back: .*${variable}`))
    assert.doesNotMatch(exported.out, new RegExp(WORD))
    const monitor = JSON.parse(exported.out).monitors.find((one: { name: string }) => one.name === name)
    assert.deepEqual(monitor.options, {
      knock: { door: 'front', word: `\${secret.${variable}}` },
      chant: CHANT,
    })
    const apply = async (options: object, args: string[] = [], variables: Record<string, string> = {}) => {
      const files = { 'all.json': JSON.stringify({ monitors: [{ ...monitor, options }] }) }
      const ran = await run(['apply', 'all.json', ...args], { files, variables })
      assert.equal(ran.status, 0, ran.err)
      assert.doesNotMatch(ran.out, /sesame|from-a-variable|hidden-chant/)
      return ran.out
    }
    assert.match(await apply(monitor.options), /Nothing to change/)
    assert.match(await apply({ ...monitor.options, attempts: 2 }), /options\.attempts: none → 2/)
    assert.deepEqual((await stored(id)).opened, { attempts: 2, knock: knock(), chant: CHANT })
    await apply(monitor.options, ['--passwords'], { [variable]: 'from-a-variable' })
    assert.deepEqual((await stored(id)).opened, { knock: knock({ word: 'from-a-variable' }), chant: CHANT })
    await apply({ chant: 'another' })
    assert.deepEqual((await stored(id)).opened, { chant: 'another' })
  })

  it('has a field in the form of its types, in its group', async () => {
    // The type checker has no place for the texts of screens here.
    const form: string = '../../dashboard/forms/monitors/option-draft.ts'
    const { OPTION_CONTROLS, optionFieldsOf, optionTextOf } = await import(form)
    assert.deepEqual(optionFieldsOf('tcp').slice(-2), ['options.knock', 'options.chant'])
    assert.ok(!optionFieldsOf('http').includes('options.knock'))
    assert.equal(OPTION_CONTROLS['options.chant']?.kind, 'text')
    assert.deepEqual(optionTextOf('options.chant'), {
      label: 'Chant',
      hint: 'Before it knocks.',
      placeholder: 'om',
    })
  })

  it('reaches the probe in the clear, and a remote one', async () => {
    const { id } = await create({ knock: knock() })
    const { probeSettings } = await import('../../src/core/monitors/probe-settings.ts')
    const { row, opened } = await stored(id)
    const settings = probeSettings('tcp', { ...row, interval_seconds: 60, options: opened as never })
    assert.deepEqual(settings.options, { knock: knock() })
    const { ProbeMonitors } = await import('../../src/core/probing/remote-probe.ts')
    const shape = z.toJSONSchema(ProbeMonitors, { io: 'input', unrepresentable: 'any' })
    assert.match(JSON.stringify(shape), /"knock"/)
  })
})
