// npm test leaves this out: it runs dozens of commands against a service (seconds of a core).
import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../../../../support/scope.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../../../../support/services/asked-service.ts'
import { runCommand } from '../../../../support/services/command.ts'
import { type Commander, commander } from '../../../../support/services/remote-command.ts'

/** Top to bottom, as somebody would come to use it: each step builds on those before it. */
describe('the command line against a service elsewhere', () => {
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

  const run: Commander['run'] = (args, around) => person.run(args, around)

  /** Runs a command that must succeed, and say nothing besides. */
  async function done(args: string[], around?: Parameters<Commander['run']>[1]) {
    const ran = await run(args, around)
    assert.deepEqual([ran.status, ran.err], [0, ''], `${args.join(' ')}: ${ran.out}`)
    return ran
  }

  async function refused(args: string[], status: number, reason: RegExp) {
    const ran = await run(args)
    assert.deepEqual([ran.status, ran.out], [status, ''], args.join(' '))
    assert.match(ran.err, reason)
  }

  const asks = async (path: string) => (await service.call(team.admin, 'GET', path)).body.data

  it('says how to log in until someone has', async () => {
    await refused(['monitors', 'list'], 1, /^not logged in: run upbeat login --url/)
    await refused(['whoami'], 1, /not logged in/)
    await refused(['logout'], 1, /no login of the name default/)
  })

  it('logs in by a token on standard input, after trying it, and keeps it for this person alone', async () => {
    const login = ['login', '--url', `${service.url}/api/v1/`]
    const wrong = await run(login, { input: `upb_${'x'.repeat(46)}` })
    assert.deepEqual([wrong.status, wrong.out], [1, ''])
    assert.match(wrong.err, /token is not valid/)
    const { out } = await done(login, { input: team.owner })
    const { name } = await asks('/team')
    assert.equal(out, `logged in to ${service.url} for team ${team.id} (${name})\n`)
    const file = join(person.configHome, 'upbeat/profiles.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal(JSON.parse(await readFile(file, 'utf8')).profiles.default.url, service.url)
    const who = await done(['whoami'])
    assert.equal(
      who.out,
      `${service.url} (profile default), team ${team.id} (${name}) on the business plan\n`,
    )
    assert.ok(!(await done(['whoami', '--json'])).out.includes(team.owner))
  })

  it('sends no token in the clear, unless that is allowed', async () => {
    await refused(['login', '--url', 'http://status.example.com', '--token', 'x'], 2, /--insecure/)
    await refused(['login', '--url', 'ftp://example.com', '--token', 'x'], 2, /is no address such as/)
    await refused(['login', '--url', service.url], 2, /a token is needed/)
  })

  it('makes, shows, changes, pauses and deletes a monitor by flags', async () => {
    const created = await done([
      ...['monitors', 'create', '--name', 'Shop', '--type', 'http', '--url', 'https://shop.example.com/'],
      ...['--check-interval-minutes', '5', '--expected-status-codes', '200,204', '--no-is-active'],
      ...['--request-headers', 'Accept: text/html', '--request-headers', 'X-From: upbeat'],
    ])
    assert.match(created.out, /^\d+\n$/, 'the ID alone')
    const id = created.out.trim()
    const shown = await asks(`/monitors/${id}`)
    assert.deepEqual(shown.request_headers, { Accept: 'text/html', 'X-From': 'upbeat' })
    assert.deepEqual([shown.expected_status_codes, shown.is_active], [[200, 204], false])
    assert.equal((await done(['monitors', 'show', id, '--json'])).out, `${JSON.stringify({ data: shown })}\n`)
    assert.match((await done(['monitors', 'show', id])).out, /^check_interval_minutes +5$/m)

    const login = ['--username', 'ann', '--password', '-']
    await done(['monitors', 'update', id, ...login, '--port', '8080'], { input: 'secret' })
    const changed = await asks(`/monitors/${id}`)
    assert.deepEqual([changed.username, changed.has_password, changed.port], ['ann', true, 8080])
    await done(['monitors', 'update', id, '--no-username', '--no-port'])
    const cleared = await asks(`/monitors/${id}`)
    assert.deepEqual([cleared.username, cleared.has_password, cleared.port], [null, false, null])
    assert.equal((await done(['monitors', 'resume', id, '--json'])).data.is_active, true)
    assert.equal((await done(['monitors', 'pause', id, '--json'])).data.is_active, false)
    assert.equal((await done(['monitors', 'checks', id])).out, 'none\n')
    assert.equal((await done(['monitors', 'delete', id])).out, `monitor ${id} is deleted\n`)
    await refused(['monitors', 'show', id], 1, /there is no such record in the team/)
  })

  it('names the flag that is wrong: by itself with status 2, as the service says with status 1', async () => {
    const create = ['monitors', 'create', '--name', 'X', '--type', 'tcp', '--check-interval-minutes', '5']
    await refused(create, 1, /^--url is required unless the type is heartbeat\n--port is required/)
    await refused([...create, '--port', '99999', '--url', 'tcp://x'], 1, /^--port must be at most 65535/)
    await refused(
      [...create, '--port', 'http'],
      2,
      /^error: option '--port' takes a whole number, got "http"/,
    )
    await refused([...create, '--http-method', 'get'], 2, /Allowed choices are GET/)
    await refused(['monitors', 'create', '--name', 'X'], 2, /required option '--type/)
    await refused([...create, '--expected-status-codes', '2xx'], 2, /whole numbers, such as 200,201/)
    await refused([...create, '--request-headers', 'Accept'], 2, /a name and a value/)
    await refused(['monitors', 'update', '1'], 2, /^error: nothing to change: give at least one of --name/)
    await refused(['monitors', 'list', '--team', '1'], 2, /--team and --email go together/)
    const telegram = ['contacts', 'create', '--name', 'Chat', '--type', 'telegram']
    await refused([...telegram, '--config.chat-id', '5'], 1, /^--config\.bot-token is required\n$/)
    await refused([...telegram, '--config', '[]'], 2, /It takes a JSON object/)
  })

  it('makes, changes and deletes contacts, their config by parts or as a whole', async () => {
    const slack = ['contacts', 'create', '--name', 'Ops', '--type', 'slack']
    const hook = 'https://hooks.slack.com/services/T/B/x'
    const { data } = await done([...slack, '--config.webhook-url', hook, '--no-notify-on-recovery', '--json'])
    assert.deepEqual([data.config, data.notify_on_recovery], [{ webhook_url: hook }, false])
    const id = String(data.id)
    const moved = { webhook_url: `${hook}y` }
    await done(['contacts', 'update', id, '--config', JSON.stringify(moved), '--notify-on-recovery'])
    assert.deepEqual((await done(['contacts', 'show', id, '--json'])).data.config, moved)
    assert.match((await done(['contacts', 'list'])).out, /^ID +NAME +TYPE +ADDRESS +TELLS OF\n/)
    assert.equal((await done(['contacts', 'delete', id, '--json'])).data.id, data.id)
  })

  it('lists everything, page after page, and fits a screen', async () => {
    const beat = { type: 'heartbeat', check_interval_minutes: 60 }
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        service.call(team.admin, 'POST', '/monitors', { ...beat, name: `Job ${index + 10}` }),
      ),
    )
    const listed = await done(['monitors', 'list', '--json', '--per-page', '20', '--type', 'heartbeat'])
    assert.equal(listed.data.length, 30)
    assert.deepEqual(listed.data, await asks('/monitors?per_page=100&type=heartbeat'))
    assert.equal(
      (await done(['monitors', 'list', '--page', '2', '--per-page', '20', '--json'])).data.length,
      10,
    )
    const { out } = await done(['monitors', 'list'], { width: 80 })
    const lines = out.trimEnd().split('\n')
    assert.equal(lines.length, 31)
    assert.ok(
      lines.every((line) => line.length <= 80),
      out,
    )
    assert.match(lines[1] ?? '', /^\d+ +pending +Job 10 +heartbeat +http\S+… +60 min +-$/)
    assert.match((await done(['monitors', 'list'])).out, /\/ping\/[0-9a-f-]{36} /, 'elsewhere nothing is cut')
  })

  it('shows the team, and incidents of all monitors or one', async () => {
    assert.equal((await done(['team', 'show', '--json'])).data.id, team.id)
    assert.match((await done(['team', 'show'])).out, /^plan +business$/m)
    assert.equal((await done(['incidents', 'list'])).out, 'none\n')
    const [{ id }] = await asks('/monitors')
    assert.deepEqual((await done(['incidents', 'list', '--monitor', String(id), '--json'])).data, [])
  })

  it('asks the service of the machine itself as a member, without a token', async () => {
    const { email } = await service.createMember(team.id, 'viewer')
    const where = ['--team', String(team.id), '--email', email]
    assert.equal((await done(['monitors', 'list', '--json', ...where])).data.length, 30)
    await refused(['monitors', 'delete', '1', ...where], 1, /may not do this/)
    await refused(['team', 'show', '--team', '999999', '--email', email], 1, /there is no team 999999/)
    await refused(['team', 'show', '--team', String(team.id), '--email', 'x@example.com'], 1, /no account/)
  })

  it('asks as a process that finds everything in its environment', async () => {
    const environment = {
      UPBEAT_URL: service.url,
      UPBEAT_TOKEN: team.viewer,
      XDG_CONFIG_HOME: person.configHome,
    }
    const ran = await runCommand(environment, ['team', 'show', '--json'])
    assert.deepEqual([ran.status, ran.err, ran.data.id], [0, '', team.id])
    const wrong = await runCommand({ ...environment, UPBEAT_URL: 'status.example.com' }, ['team', 'show'])
    assert.deepEqual([wrong.status, wrong.out], [1, ''])
    assert.match(wrong.err, /^UPBEAT_URL is "status\.example\.com": it takes an http or https address/)
  })

  it('lets a named profile go before the environment, and that before the login', async () => {
    const other = await service.createTeam('free')
    const plan = async (args: string[], environment: { url?: string; token?: string }) =>
      (await done(['team', 'show', '--json', ...args], { environment })).data.plan
    await done(['login', '--url', service.url, '--token', other.owner, '--profile', 'other'])
    const free = { url: service.url, token: other.viewer }
    assert.equal(await plan([], {}), 'business')
    assert.equal(await plan([], free), 'free')
    assert.equal(await plan(['--profile', 'default'], free), 'business')
    assert.equal(await plan([], { token: other.viewer }), 'free', 'the token alone is for the same service')
    const half = await run(['team', 'show'], { environment: { url: service.url } })
    assert.deepEqual([half.status, half.out], [2, ''])
    assert.match(half.err, /UPBEAT_TOKEN is not/)
    assert.match((await done(['logout', '--profile', 'other'])).out, /^logged out of http/)
    await refused(['team', 'show', '--profile', 'other'], 1, /upbeat login --url https:\/\/… --profile other/)
  })
})
