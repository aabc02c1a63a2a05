// npm test leaves this out: it tries each option through every door (20 s of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { escapeVariables } from '../../../../src/cli/apply/declaration-file.ts'
import { inOrderOfSchemas, optionOf } from '../../../../src/core/monitors/options/monitor-options.ts'
import { shownOptions, unshownSecrets } from '../../../../src/core/monitors/options/secret-options.ts'
import { keysOf } from '../../../../src/core/shape.ts'
import { findMonitor } from '../../../../src/store/monitors/monitors.ts'
import { OPTION_SAMPLES, type OptionSample, valuesOf } from '../../../support/records/option-samples.ts'
import { suiteScope } from '../../../support/scope.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { openMcpClient } from '../../../support/services/mcp-client.ts'
import { type Commander, commander } from '../../../support/services/remote-command.ts'

type Options = Record<string, unknown>
/** A way into the service. Options that change are sent, null for one that goes. */
type Door = {
  create(name: string, options: Options): Promise<unknown>
  change(id: number, options: Options): Promise<unknown>
}

describe('every option of a monitor', () => {
  const scope = suiteScope()
  let service: AskedService
  let teamId: number
  let person: Commander
  let others: readonly [number, number]
  /** The one that is tried. */
  let tried: OptionSample

  before(async () => {
    service = await apiService()
    teamId = (await service.createTeam()).id
    person = commander(service.services)
    scope.after(async () => person.close())
    const other = async (name: string) => (await ask('POST', '/monitors', { ...MONITORS.tcp, name })).id
    others = [await other('First'), await other('Second')]
  })

  /** As a member of its own each time: the rate limit is a member's. */
  async function ask(method: string, path: string, body?: unknown) {
    const answer = await service.call(await service.createToken(teamId, 'admin'), method, path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }
  async function command(args: string[], declared?: object) {
    const environment = { url: service.url, token: await service.createToken(teamId, 'admin') }
    const ran = await person.run(args, { files: { 'all.json': JSON.stringify(declared) }, environment })
    assert.equal(ran.status, 0, ran.err)
    return ran.out
  }
  async function tool(name: string, sent: object) {
    const mcp = await openMcpClient(scope, service, await service.createToken(teamId, 'admin'))
    const { isError, structuredContent } = await mcp.call(name, sent as Options)
    assert.equal(isError, undefined, JSON.stringify(structuredContent))
  }
  /** The options as they are stored, opened. */
  async function stored(id: number): Promise<Options | null> {
    const { db, vault } = service.services
    return inOrderOfSchemas((await findMonitor(db.query, vault, teamId, id))?.options ?? null)
  }
  const bodyOf = (name: string, options: Options) => ({
    ...MONITORS[tried.type],
    ...tried.settings,
    name,
    options,
  })
  const flagsOf = (options: Options) =>
    Object.entries(options).flatMap(([name, value]) => [
      '--option',
      typeof value === 'object' && value !== null
        ? `${name}:=${JSON.stringify(value)}`
        : `${name}=${value ?? ''}`,
    ])
  const DOORS: Record<string, Door> = {
    'the API': {
      create: (name, options) => ask('POST', '/monitors', bodyOf(name, options)),
      change: (id, options) => ask('PATCH', `/monitors/${id}`, { options }),
    },
    MCP: {
      create: (name, options) => tool('create-monitor', bodyOf(name, options)),
      change: (id, options) => tool('update-monitor', { monitor_id: id, options }),
    },
    'the command line': {
      async create(name, options) {
        const { options: _, ...settings } = bodyOf(name, options) as Options
        const flags = Object.entries(settings).flatMap(([field, value]) => [
          `--${field.replaceAll('_', '-')}`,
          String(value),
        ])
        await command(['monitors', 'create', ...flags, ...flagsOf(options)])
      },
      change: (id, options) => command(['monitors', 'update', String(id), ...flagsOf(options)]),
    },
  }

  /** As a file has it: parents and members by name, beside the options. */
  async function declared(name: string, options: Options) {
    const names = new Map<number, string>()
    for (const id of others) names.set(id, (await ask('GET', `/monitors/${id}`)).name)
    const named = (ids: unknown) => (ids as number[]).map((id) => names.get(id))
    const links = (['depends_on', 'members'] as const).filter((link) => Array.isArray(options[link]))
    const rest = Object.entries(options).filter(([option]) => !links.some((link) => link === option))
    const { options: _, ...settings } = bodyOf(name, options) as Options
    const escaped = JSON.parse(escapeVariables(JSON.stringify(Object.fromEntries(rest))))
    return {
      ...settings,
      options: escaped,
      ...Object.fromEntries(links.map((link) => [link, named(options[link])])),
    }
  }
  async function idOf(name: string): Promise<number> {
    const { query } = service.services.db
    const named = query.selectFrom('monitors').select('id').where('team_id', '=', teamId)
    return (await named.where('name', '=', name).executeTakeFirstOrThrow()).id
  }

  for (const option of keysOf(OPTION_SAMPLES)) {
    const ofOption: OptionSample = OPTION_SAMPLES[option]
    const { beside = {}, isRequired } = ofOption
    const withOption = (value: unknown): Options => ({ ...beside, [option]: value })
    async function assertHas(id: number, value: unknown) {
      const wanted = withOption(value)
      assert.deepEqual(await stored(id), inOrderOfSchemas(wanted))
      const { next_due_at: _, ...shown } = (await ask('GET', `/monitors/${id}`)).options
      assert.deepEqual(shown, inOrderOfSchemas(shownOptions(wanted, 'admin')))
    }

    for (const [door, { create, change }] of Object.entries(DOORS))
      it(`${option} is set, changed and removed by ${door}`, async () => {
        tried = ofOption
        const [first, second] = valuesOf(tried, others)
        const name = `${option} by ${door}`
        await create(name, withOption(first))
        const id = await idOf(name)
        await assertHas(id, first)
        await change(id, { [option]: second })
        await assertHas(id, second)
        if (isRequired) return
        await change(id, { [option]: null })
        assert.equal((await stored(id))?.[option], undefined)
      })

    it(`${option} is declared in a file, and comes out of an export as it went in`, async () => {
      tried = ofOption
      const [first, second] = valuesOf(tried, others)
      const name = `${option} by a file`
      const apply = async (value: unknown, ...flags: string[]) =>
        command(['apply', ...flags, 'all.json'], { monitors: [await declared(name, withOption(value))] })
      await apply(first)
      const id = await idOf(name)
      await assertHas(id, first)
      assert.match(await apply(first), /Nothing to change/)
      // One that nobody gets back cannot be compared.
      const isUnseen = unseen(withOption(second)).some((path) => path.join() === option)
      await apply(second, ...(isUnseen ? ['--passwords'] : []))
      await assertHas(id, second)
      const { monitors } = JSON.parse(await command(['export', '--format', 'json']))
      const exported = monitors.filter((one: { name: string }) => one.name === name)
      assert.equal(exported.length, 1)
      // A secret that nobody gets back stays as it is stored.
      assert.match(await command(['apply', 'all.json'], { monitors: exported }), /Nothing to change/)
      await assertHas(id, second)
      const sent = await declared(name, withOption(second))
      if (unseen(withOption(second)).length === 0 && optionOf(option).secrets === undefined)
        assert.deepEqual(partsOf(exported[0]), partsOf(sent))
      if (isRequired) return
      const { options, depends_on: __, ...settings } = exported[0]
      const { [option]: ___, ...rest } = options ?? {}
      await command(['apply', 'all.json'], { monitors: [{ ...settings, options: rest }] })
      assert.equal((await stored(id))?.[option], undefined)
    })
  }
})

/** The secrets in options that nobody gets back. */
function unseen(options: Options): string[][] {
  return unshownSecrets(shownOptions(options, 'owner'))
}

/** The options of a declared monitor, and what stands by name beside them. */
function partsOf({ options, depends_on, members }: Options): Options {
  const set = Object.keys(options ?? {}).length > 0
  return { ...(set && { options }), ...(depends_on ? { depends_on } : {}), ...(members ? { members } : {}) }
}
