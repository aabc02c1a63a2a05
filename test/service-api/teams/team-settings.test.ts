import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../../support/scope.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type Commander, commander } from '../../support/services/remote-command.ts'

/** As every new team has them, in the order in which they are shown. */
const DEFAULTS = {
  ...{ confirmations: 0, recovery_checks: 1 },
  ...{ reminder_minutes: null, flapping: null },
  ...{ language: 'en', time_zone: null },
}
const FLAPPING = { changes: 5, minutes: 30 }

describe('the settings of a team, on the machine of the service', () => {
  const scope = suiteScope()
  let service: AskedService
  let person: Commander
  let here: string[]

  before(async () => {
    service = await apiService()
    person = commander(service.services)
    scope.after(async () => person.close())
    here = await membership('admin')
  })

  async function membership(role: 'admin' | 'viewer', team?: number) {
    const id = team ?? (await service.createTeam()).id
    const { email } = await service.createMember(id, role)
    return ['--team', String(id), '--email', email]
  }
  const settings = (...options: string[]) => person.run(['team', 'settings', ...options, ...here])
  async function shown(): Promise<unknown> {
    const { out } = await settings('--json')
    return JSON.parse(out).data
  }
  const file = (team: object) => ({ files: { 'team.yaml': JSON.stringify({ team }) } })
  const apply = (team: object, ...options: string[]) =>
    person.run(['apply', 'team.yaml', ...options, ...here], file(team))

  it('are shown, changed one by one, and cleared', async () => {
    assert.deepEqual(await shown(), DEFAULTS)
    const given = ['--confirmations', '2', '--reminder-minutes', '30', '--flapping', JSON.stringify(FLAPPING)]
    const { status, out, err } = await settings(...given, '--time-zone', 'Europe/Berlin')
    assert.deepEqual([status, err], [0, ''])
    assert.match(out, /^flapping +changes: 5, minutes: 30$/m)
    const changed = {
      ...DEFAULTS,
      ...{ confirmations: 2, reminder_minutes: 30, flapping: FLAPPING, time_zone: 'Europe/Berlin' },
    }
    assert.deepEqual(await shown(), changed)
    await settings('--no-flapping', '--no-reminder-minutes', '--no-time-zone', '--confirmations', '0')
    assert.deepEqual(await shown(), DEFAULTS)
  })

  for (const [options, said] of [
    [['--confirmations', '9'], /^--confirmations must be/],
    [['--flapping', '{"changes":1,"minutes":30}'], /^--flapping/],
    [['--reminder-minutes', '30', '--recovery-checks', '0'], /^--recovery-checks must be/],
  ] as const) {
    it(`are refused by their flag, and none is changed: ${options.join(' ')}`, async () => {
      const { status, err } = await settings(...options)
      assert.equal(status, 1)
      assert.match(err, said)
      assert.deepEqual(await shown(), DEFAULTS)
    })
  }

  it('are in a file: shown as a difference, applied, and then as declared; others stay as they are', async () => {
    const declared = { recovery_checks: 2, flapping: FLAPPING }
    const dry = await apply(declared, '--dry-run', '--detailed-exitcode')
    assert.equal(dry.status, 3)
    assert.match(
      dry.out,
      /^~ team settings\n {4}recovery_checks: 1 → 2\n {4}flapping: none → {"changes":5,"minutes":30}\n/,
    )
    assert.deepEqual(await shown(), DEFAULTS)
    const done = await apply(declared)
    assert.deepEqual([done.status, done.err], [0, ''])
    assert.match(done.out, /^changed team settings$/m)
    assert.deepEqual(await shown(), { ...DEFAULTS, ...declared })
    assert.match((await apply(declared)).out, /^Nothing to change/m)
    assert.match((await apply({})).out, /^Nothing to change/m)
    await apply({ flapping: null, recovery_checks: 1 })
    assert.deepEqual(await shown(), DEFAULTS)
  })

  it('are exported as a file takes them', async () => {
    await settings('--recovery-checks', '3', '--flapping', JSON.stringify(FLAPPING))
    const { out } = await person.run(['export', ...here])
    assert.match(out, /^team:\n {2}confirmations: 0\n {2}recovery_checks: 3\n/)
    const again = await person.run(['apply', 'team.yaml', '--dry-run', ...here], {
      files: { 'team.yaml': out },
    })
    assert.match(again.out, /^Nothing to change/m)
    await settings('--recovery-checks', '1', '--no-flapping')
  })

  it('are named by their place in the file where they are wrong', async () => {
    const { status, err } = await apply({ confirmations: 9, reminders: 5 })
    assert.equal(status, 1)
    assert.match(err, /^team\.yaml:1:\d+: team\.confirmations must be/m)
    assert.match(err, /^team\.yaml:1:\d+: team\.reminders/m)
  })

  it('are read by viewers, who change none', async () => {
    const [, team = ''] = here
    const viewer = await membership('viewer', Number(team))
    assert.equal((await person.run(['team', 'settings', ...viewer])).status, 0)
    const { status, err } = await person.run(['team', 'settings', '--confirmations', '1', ...viewer])
    assert.equal(status, 1)
    assert.match(err, /role only reads/)
  })

  it('are said not to be in the API, and are in no export over it', async () => {
    const [, team = ''] = here
    const token = await service.createToken(Number(team), 'admin')
    const over = { environment: { url: service.url, token } }
    const command = await person.run(['team', 'settings'], over)
    const applied = await person.run(['apply', 'team.yaml'], { ...over, ...file({ confirmations: 1 }) })
    for (const { status, err } of [command, applied]) {
      assert.equal(status, 1)
      assert.match(err, /settings of the team are not part of the API/)
    }
    assert.doesNotMatch((await person.run(['export'], over)).out, /^team:/m)
  })
})
