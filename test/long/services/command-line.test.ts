// npm test leaves this out: it runs dozens of commands, each a process or a service of its own (seconds of a core).
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../../support/scope.ts'
import { type Ran, runCommand } from '../../support/services/command.ts'
import { documentedFetch } from '../../support/services/documented.ts'
import { type Commander, operatorAt } from '../../support/services/remote-command.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'

const TOKEN = /^upb_[0-9A-Za-z]{46}\n$/

/** Sends a form in chunks, so that its length is known only to who reads it. */
async function setWithoutLength(url: string, form: string): Promise<number> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new Blob([form]).stream(),
    duplex: 'half',
  })
  return status
}

/** Top to bottom, as an operator would: each step builds on those before it. */
describe('the command line', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let operator: Commander
  let token: string

  before(async () => {
    service = await startServiceHere({ DATABASE_URL: '', ROLES: 'api,scheduler' })
    scope.after(() => service.close())
    operator = operatorAt(service.env)
    scope.after(async () => operator.close())
  })

  /** A command as a process, for what only a process has. The others run here, each opening the database of its own. */
  const upbeat = (args: string[], input?: string) => runCommand(service.env, args, input)

  /** The command must have succeeded, and said nothing besides. */
  function assertDone(ran: Ran, args: string[]): Ran {
    assert.deepEqual([ran.status, ran.err], [0, ''], args.join(' '))
    return ran
  }
  const done = async (args: string[]) => assertDone(await operator.run(args), args)
  const doneApart = async (args: string[], input?: string) => assertDone(await upbeat(args, input), args)

  /** The command must have been refused, and have said why. */
  function assertRefused({ status, out, err }: Ran, args: string[], reason: RegExp) {
    assert.deepEqual([status, out], [1, ''], args.join(' '))
    assert.match(err, reason)
  }
  const refused = async (args: string[], reason: RegExp) =>
    assertRefused(await operator.run(args), args, reason)
  const refusedApart = async (args: string[], reason: RegExp) =>
    assertRefused(await upbeat(args), args, reason)

  const team = (bearer: string) => service.call(bearer, 'GET', '/team')
  const ofTeam = (email: string) => ['--team', '1', '--email', email]

  it('creates accounts: by a password, by standard input, or with a link to set one', async () => {
    const named = ['--name', 'Ann', '--json']
    const ann = await done([
      'user',
      'create',
      '--email',
      'ann@example.com',
      ...named,
      '--password',
      'seven owls by the lake',
    ])
    const expected = { email: 'ann@example.com', name: 'Ann', set_password_url: null }
    assert.deepEqual(ann.data, { id: ann.data.id, ...expected })
    const bob = ['user', 'create', '--email', 'bob@example.com', '--name', 'Bob']
    assert.match((await doneApart(bob, 'seven owls by the lake\n')).out, /^\d+\n$/, 'the ID alone')
    await refusedApart(
      [...bob, '--password', 'seven owls by the lake'],
      /^email bob@example\.com has an account already\n$/,
    )
    const short = ['user', 'create', '--email', 'c@example.com', '--name', 'C', '--password', 'short']
    await refused(short, /^password must have at least 8 characters\n$/)
  })

  it('the link sets the password once', async () => {
    const { out } = await done(['user', 'create', '--email', 'cleo@example.com', '--name', 'Cleo'])
    assert.ok(
      out.startsWith(`${service.env.SITE_URL ?? `http://localhost:${service.env.PORT}`}/set-password/`),
      out,
    )
    const url = `${service.url}${new URL(out.trim()).pathname}`
    const page = await fetch(url)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /cleo@example\.com/)
    const set = (password: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ password }) })
    assert.equal((await set('short')).status, 422)
    assert.equal(await setWithoutLength(url, `password=${'x'.repeat(20_000)}`), 413)
    assert.equal((await set('a long password')).status, 200)
    assert.equal((await set('another password')).status, 404)
    assert.equal((await fetch(url)).status, 404)
  })

  it('creates teams, on the business plan unless told otherwise', async () => {
    const create = ['team', 'create', '--name', 'Acme', '--owner', 'ann@example.com']
    assert.equal((await done(create)).out, '1\n')
    const { data } = await done([...create, '--plan', 'free', '--json'])
    assert.deepEqual([data.id, data.plan, data.max_monitors, data.members_count], [2, 'free', 10, 1])
    assert.equal(data.notification_contacts_count, 1)
    await refused(['team', 'create', '--name', 'X', '--owner', 'nobody@example.com'], /has no account/)
    await refused([...create, '--plan', 'gold'], /^plan must be one of free, starter, pro, business/)
  })

  it('prints a token alone, which works at once', async () => {
    const { out } = await done(['token', 'create', ...ofTeam('ann@example.com'), '--name', 'laptop'])
    assert.match(out, TOKEN)
    token = out.trim()
    const { status, body } = await team(token)
    assert.deepEqual([status, body.data.id, body.data.plan], [200, 1, 'business'])
    const [contact] = (await service.call(token, 'GET', '/notification-contacts')).body.data
    assert.deepEqual([contact.type, contact.config], ['email', { email: 'ann@example.com' }])
    await refused(
      ['token', 'create', ...ofTeam('bob@example.com'), '--name', 'x'],
      /is not a member of team 1/,
    )
    await refused(
      ['token', 'create', '--team', '9', '--email', 'ann@example.com', '--name', 'x'],
      /no team 9/,
    )
  })

  it('lists tokens without showing them, and revokes them', async () => {
    const create = [
      'token',
      'create',
      ...ofTeam('ann@example.com'),
      '--name',
      'ci',
      '--expires',
      '2099-01-31',
      '--json',
    ]
    const { data } = await done(create)
    assert.equal(data.expires_at, '2099-01-31T00:00:00.000000Z')
    assert.equal((await team(data.token)).status, 200)
    const listed = await done(['token', 'list', '--json'])
    assert.deepEqual(
      listed.data.map(({ id, name, ending }: Record<string, unknown>) => ({ id, name, ending })),
      [
        { id: 1, name: 'laptop', ending: token.slice(-4) },
        { id: data.id, name: 'ci', ending: data.token.slice(-4) },
      ],
    )
    const revoked = await done(['token', 'revoke', String(data.id), '--json'])
    assert.equal(revoked.data.id, data.id)
    assert.equal((await team(data.token)).status, 401)
    await refused(['token', 'revoke', String(data.id)], /there is no valid token/)
    const { out } = await done(['token', 'list'])
    assert.match(out, /^ID +NAME +ENDING/)
    assert.ok(!out.includes(token) && !listed.out.includes(token))
  })

  it('adds members, changes roles, removes members, and keeps the last owner', async () => {
    const bob = ofTeam('bob@example.com')
    const { data } = await done(['member', 'add', ...bob, '--role', 'viewer', '--json'])
    assert.deepEqual([data.email, data.role, data.team_id], ['bob@example.com', 'viewer', 1])
    const viewer = (await done(['token', 'create', ...bob, '--name', 'bob'])).out.trim()
    const write = () => service.call(viewer, 'POST', '/notification-contacts', {})
    assert.deepEqual([(await team(viewer)).status, (await write()).status], [200, 403])
    await done(['member', 'add', ...bob, '--role', 'admin'])
    assert.equal((await write()).status, 422, 'a token acts with the role its creator has now')
    await refused(['member', 'remove', ...ofTeam('ann@example.com')], /last owner/)
    await refused(['member', 'add', ...ofTeam('ann@example.com'), '--role', 'admin'], /last owner/)
    await done(['member', 'remove', ...bob])
    assert.equal((await team(viewer)).status, 403)
    await refused(['member', 'remove', ...bob], /is not a member/)
  })

  it('lists accounts, disables and enables them, names operators, and deletes', async () => {
    const named = async () => {
      const { data } = await done(['user', 'list', '--json'])
      return data.map(({ email, is_operator, disabled_at }: Record<string, unknown>) => [
        email,
        is_operator,
        disabled_at !== null,
      ])
    }
    const [ann, bob, cleo] = ['ann@example.com', 'bob@example.com', 'cleo@example.com']
    assert.deepEqual(await named(), [
      [ann, true, false],
      [bob, false, false],
      [cleo, false, false],
    ])
    assert.match(
      (await done(['user', 'list'])).out,
      /^ID +EMAIL +NAME +OPERATOR.*\n1 +ann@example\.com +Ann +yes/,
    )
    await refused(['user', 'disable', ann], /last operator/)
    assert.match((await done(['user', 'operator', bob])).out, /^bob@example\.com is an operator/)
    assert.match((await done(['user', 'disable', cleo])).out, /^cleo@example\.com is disabled/)
    assert.deepEqual((await named()).slice(1), [
      [bob, true, false],
      [cleo, false, true],
    ])
    await done(['user', 'enable', cleo])
    await done(['user', 'operator', bob, '--off'])
    await refused(['user', 'delete', ann], /last operator/)
    assert.match((await done(['user', 'delete', cleo])).out, /^account \d+ is deleted/)
    assert.deepEqual(await named(), [
      [ann, true, false],
      [bob, false, false],
    ])
    await refused(['user', 'delete', cleo], /has no account/)
  })

  it('shows the signing secret, and replaces it', async () => {
    const { out } = await done(['team', 'signing-secret', '1'])
    assert.match(out, /^whsec_[A-Za-z0-9+/]{43}=\n$/)
    const rotated = await done(['team', 'signing-secret', '1', '--rotate', '--json'])
    assert.notEqual(rotated.data.signing_secret, out.trim())
    assert.equal((await done(['team', 'signing-secret', '1'])).out.trim(), rotated.data.signing_secret)
    await refused(['team', 'signing-secret', '9'], /there is no team 9/)
  })

  it('restores a deleted monitor with its history, within the limit of the plan', async () => {
    const job = { name: 'Backup', type: 'heartbeat', check_interval_minutes: 60 }
    const create = async () => (await service.call(token, 'POST', '/monitors', job)).body.data
    const deleted = await create()
    assert.equal((await documentedFetch(`${service.url}/ping/${deleted.heartbeat_token}`)).status, 204)
    await service.call(token, 'DELETE', `/monitors/${deleted.id}`)
    await refused(['monitor', 'restore', '99'], /no deleted monitor 99/)

    await Promise.all(Array.from({ length: 10 }, create))
    assert.equal((await done(['team', 'set-plan', '1', 'free', '--json'])).data.plan, 'free')
    await refused(['monitor', 'restore', String(deleted.id)], /The free plan allows 10 monitors/)
    await done(['team', 'set-plan', '1', 'business'])
    await refused(['team', 'set-plan', '1', 'gold'], /^plan must be one of free, starter, pro, business/)

    const { data } = await done(['monitor', 'restore', String(deleted.id), '--json'])
    assert.deepEqual([data.id, data.status, data.is_active], [deleted.id, 'pending', true])
    const shown = await service.call(token, 'GET', `/monitors/${deleted.id}`)
    assert.deepEqual(shown.body.data, data)
    const checks = await service.call(token, 'GET', `/monitors/${deleted.id}/checks`)
    assert.equal(checks.body.data.length, 1)
    assert.equal((await documentedFetch(`${service.url}/ping/${deleted.heartbeat_token}`)).status, 204)
    await refused(['monitor', 'restore', String(deleted.id)], /no deleted monitor/)
  })

  it('doctor says what works, migrate that there is nothing to do', async () => {
    const { data } = await done(['doctor', '--json'])
    const states = Object.fromEntries(data.map(({ part, state }: Record<string, string>) => [part, state]))
    assert.deepEqual(
      [states.runtime, states.database, states['secret key'], states.mail],
      ['working', 'working', 'working', 'limited'],
    )
    assert.match((await done(['doctor'])).out, /^ok {4}runtime: Node v\d+/)
    assert.equal((await done(['migrate'])).out, 'nothing to do\n')
    assert.deepEqual((await done(['migrate', '--json'])).data, { applied: [] })
  })

  it('wrong usage is status 2, with a word about it', async () => {
    const { status, out, err } = await upbeat(['token', 'list', '--unknown'])
    assert.deepEqual([status, out, err], [2, '', "error: unknown option '--unknown'\n"])
  })

  it('backs up while the service runs, restores only while it is stopped', async () => {
    const file = join(service.env.DATA_DIR ?? '', 'backup.tar')
    const saved = await operator.run(['backup', file, '--json'])
    assert.equal(saved.status, 0, saved.err)
    assert.match(saved.err, /secret key is not in it/)
    assert.ok(saved.data.rows > 0 && saved.data.bytes > 0)
    const unwritten = await operator.run(['backup', join(file, 'below a file')])
    assert.equal(unwritten.status, 1)
    assert.match(unwritten.err, /ENOTDIR/, 'trouble with the file is not taken for trouble with the database')
    const monitors = async () => (await service.call(token, 'GET', '/monitors')).body
    const before = await monitors()
    assert.equal((await service.call(token, 'DELETE', `/monitors/${before.data[0].id}`)).status, 204)
    const refusal = await operator.run(['restore', file])
    assert.deepEqual([refusal.status, refusal.out], [1, ''])
    assert.match(refusal.err, /runs|running|stop/)
    assert.notDeepEqual((await monitors()).meta.total, before.meta.total)

    // From here on nobody else holds the database: commands must work without the service, too.
    await service.stop()
    const restored = await upbeat(['restore', file])
    assert.equal(restored.status, 0, restored.err)
    const { out } = await doneApart(['token', 'create', ...ofTeam('ann@example.com'), '--name', 'offline'])
    await service.start()
    assert.equal((await team(out.trim())).status, 200)
    const after = await monitors()
    assert.deepEqual(
      after.data.map(({ id }: { id: number }) => id),
      before.data.map(({ id }: { id: number }) => id),
    )
  })
})
