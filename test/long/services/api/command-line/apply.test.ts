// npm test leaves this out: it runs dozens of commands over files of monitors (seconds of a core).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { jobOf } from '../../../../support/probing/heartbeat-job.ts'
import { suiteScope } from '../../../../support/scope.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type Commander, commander } from '../../../../support/services/remote-command.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

const FILE = `
contacts:
  - name: Ops
    type: slack
    config: { webhook_url: "https://hooks.slack.com/services/\${HOOK}" }
monitors:
  - &web
    name: Shop
    type: http
    url: http://shop.example.com/
    check_interval_minutes: 5
    is_active: false
    username: ann
    password: \${PASSWORD}
    request_headers:
      X-Key: \${KEY}
    contacts: [Ops]
  - <<: *web
    name: Blog
    url: http://blog.example.com/
  - { name: Job, type: heartbeat, check_interval_minutes: 60, check_interval_seconds: 90000 }
`
const SECRETS = { HOOK: 'T0/B0/hook-secret', PASSWORD: 'pass-secret', KEY: 'key-secret' }
const NOBODY_SEES = /hook-secret|pass-secret|key-secret/

describe('declaring monitors in a file', () => {
  const scope = suiteScope()
  let service: AskedService
  let person: Commander
  let teamId: number

  before(async () => {
    service = await apiService()
    person = commander(service.services)
    scope.after(async () => person.close())
    teamId = (await service.createTeam()).id
  })

  /** As a member of its own each time, for the rate limit is a member's. */
  async function run(
    args: string[],
    around: Parameters<Commander['run']>[1] = {},
    role = 'admin' as 'admin' | 'viewer',
  ) {
    const token = await service.createToken(teamId, role)
    const environment = { url: service.url, token }
    return person.run(args, { variables: SECRETS, environment, ...around })
  }
  const apply = (text: string, ...options: string[]) =>
    run(['apply', 'monitors.yaml', ...options], file(text))
  const file = (text: string) => ({ files: { 'monitors.yaml': text } })
  const asks = async (path: string) =>
    (await service.call(await service.createToken(teamId, 'viewer'), 'GET', path)).body.data

  it('shows what it would do, with the secrets masked, and does nothing', async () => {
    const [owner] = await asks('/notification-contacts')
    const ran = await apply(FILE, '--dry-run', '--detailed-exitcode')
    assert.deepEqual([ran.status, ran.err], [3, ''])
    assert.equal(
      ran.out,
      [
        '+ contact Ops (slack)',
        '    config.webhook_url: ********',
        '+ monitor Shop (http)',
        '    url: http://shop.example.com/',
        '    check_interval_minutes: 5',
        '    is_active: false',
        '    request_headers: X-Key: ********',
        '    username: ann',
        '    password: ********',
        '    contacts: Ops',
        '+ monitor Blog (http)',
        '    url: http://blog.example.com/',
        '    check_interval_minutes: 5',
        '    is_active: false',
        '    request_headers: X-Key: ********',
        '    username: ann',
        '    password: ********',
        '    contacts: Ops',
        '+ monitor Job (heartbeat)',
        '    check_interval_minutes: 60',
        '    check_interval_seconds: 90000',
        'Not declared, and left alone (--prune deletes them):',
        `    contact ${owner.name} (${owner.id})`,
        '4 to create, 0 to change, 0 to delete, 0 as declared.',
        '',
      ].join('\n'),
    )
    assert.deepEqual(await asks('/monitors'), [])
  })

  it('does it in an order that works, reports each step, and has nothing to do afterwards', async () => {
    const first = await apply(FILE)
    assert.deepEqual([first.status, first.err], [0, ''])
    assert.match(
      first.out,
      /^created contact Ops \(\d+\)\ncreated monitor Shop \(\d+\)\ncreated monitor Blog/m,
    )
    assert.doesNotMatch(first.out, NOBODY_SEES)
    const [blog, job, shop] = await asks('/monitors')
    assert.deepEqual([blog.name, job.name, shop.name], ['Blog', 'Job', 'Shop'])
    assert.deepEqual([shop.has_password, shop.username, shop.is_active], [true, 'ann', false])
    assert.equal(shop.notification_contacts[0].name, 'Ops')
    assert.equal(job.check_interval_seconds, 90_000)

    const second = await apply(FILE, '--dry-run', '--detailed-exitcode')
    assert.deepEqual([second.status, second.err], [0, ''])
    assert.match(second.out, /^Note: Shop: its password is kept as it is \(--passwords sends it again\)$/m)
    assert.match(second.out, /^Nothing to change: 4 as declared\.$/m)
    assert.match((await apply(FILE)).out, /Nothing to change/)
  })

  it('says before it begins how long the rate limit makes it take, and nothing on this machine', async () => {
    const jobs = Array.from(
      { length: 100 },
      (_, index) => `  - { name: Job ${index}, type: heartbeat, check_interval_minutes: 60 }`,
    )
    const many = file(`monitors:\n${jobs.join('\n')}\n`)
    const { id } = await service.createTeam()
    const { email, token } = await service.createMember(id, 'admin')
    const asked = await person.run(['apply', 'monitors.yaml', '--dry-run'], {
      ...many,
      environment: { url: service.url, token },
    })
    assert.equal(asked.status, 0, asked.err)
    assert.match(asked.err, /^100 requests, of which the service takes 60 a minute: up to 1 min\.\n/)
    const here = ['--team', String(id), '--email', email]
    const done = await person.run(['apply', 'monitors.yaml', ...here], many)
    assert.equal(done.status, 0, done.err)
    assert.equal(done.err, '25 of 100 done\n50 of 100 done\n75 of 100 done\n')
  })

  it('sets tags on this machine, exports them there, and refuses them over the API before it changes anything', async () => {
    const { id } = await service.createTeam()
    const { email, token } = await service.createMember(id, 'admin')
    const tagged = file(
      'monitors: [{ name: Job, type: heartbeat, check_interval_minutes: 60, tags: [Env:prod] }]',
    )
    const remote = { ...tagged, environment: { url: service.url, token } }
    const refused = await person.run(['apply', 'monitors.yaml'], remote)
    assert.equal(refused.status, 1)
    assert.match(refused.err, /^monitors\.yaml:1:\d+: .*tags are not part of the API.*--team and --email/)
    const here = ['--team', String(id), '--email', email]
    const done = await person.run(['apply', 'monitors.yaml', ...here], tagged)
    assert.deepEqual([done.status, done.err], [0, ''])
    assert.match(done.out, /^ {4}tags: env:prod$/m)
    const exported = await person.run(['export', ...here], {})
    assert.match(exported.out, /tags:\n\s+- env:prod/)
    const again = await person.run(['apply', 'monitors.yaml', ...here], file(exported.out))
    assert.match(again.out, /Nothing to change/)
    const bare = file('monitors: [{ name: Job, type: heartbeat, check_interval_minutes: 60 }]')
    assert.match((await person.run(['apply', 'monitors.yaml', ...here], bare)).out, /Nothing to change/)
  })

  it('a viewer, who sees masks, finds nothing to change either, and may change nothing', async () => {
    const dry = await run(['apply', 'monitors.yaml', '--dry-run'], file(FILE), 'viewer')
    assert.deepEqual([dry.status, /Nothing to change/.test(dry.out)], [0, true], dry.out + dry.err)
    const more = FILE.replace('name: Job', 'name: Other job')
    const refused = await run(['apply', 'monitors.yaml'], file(more), 'viewer')
    assert.equal(refused.status, 1)
    assert.match(refused.err, /^monitor Other job: the token may not do this.*\nNothing was changed\.$/m)
    const masked = await run(['export'], {}, 'viewer')
    assert.deepEqual([masked.status, masked.out], [1, ''])
    assert.match(masked.err, /masked for a viewer/)
  })

  it('changes the fields that differ, and shows them from and to', async () => {
    const other = FILE.replace('minutes: 5', 'minutes: 15').replace(`X-Key: \${KEY}`, 'X-Key: other')
    const ran = await apply(other, '--json')
    assert.equal(ran.status, 0, ran.err)
    assert.match(
      ran.err,
      /^~ monitor Shop \(\d+\)\n {4}check_interval_minutes: 5 → 15\n {4}request_headers: X-Key: \*{8} → X-Key: \*{8}$/m,
    )
    const fields = ['check_interval_minutes', 'request_headers']
    assert.deepEqual(
      ran.data.changes.map((change: { fields: string[] }) => change.fields),
      [fields, fields],
    )
    assert.deepEqual((await asks('/monitors'))[2].check_interval_minutes, 15)
    const passwords = await apply(other, '--passwords')
    assert.match(passwords.out, /^ {4}password: \*{8} → \*{8}$/m)
    const local = FILE.replace('minutes: 60, check_interval_seconds: 90000', 'minutes: 30')
    assert.equal((await apply(local)).status, 0)
    const job = (await asks('/monitors'))[1]
    assert.deepEqual([job.check_interval_minutes, job.check_interval_seconds], [30, null])
  })

  it('exports what applies without a change, in YAML and JSON', async () => {
    await run([
      'contacts',
      'create',
      '--name',
      'Odd',
      '--type',
      'webhook',
      '--config.url',
      `https://example.com/\${x}`,
    ])
    const yaml = await run(['export'])
    assert.equal(yaml.status, 0)
    assert.equal(
      yaml.err,
      'Passwords cannot be read back: add them, or leave them as they are (Blog, Shop).\n',
    )
    assert.match(yaml.out, /url: https:\/\/example\.com\/\$\$\{x\}/)
    assert.doesNotMatch(yaml.out, /http_method|password/, 'defaults are not written')
    const json = await run(['export', '--format', 'json'])
    assert.equal(JSON.parse(json.out).monitors.length, 3)
    for (const { out } of [yaml, json]) {
      const again = await apply(out, '--prune', '--detailed-exitcode', '--dry-run')
      assert.deepEqual([again.status, again.err], [0, ''], again.out)
    }
  })

  it('deletes what is not declared only with --prune, and only when that is confirmed', async () => {
    const less = FILE.slice(0, FILE.indexOf('  - <<'))
    const kept = await apply(less)
    assert.match(kept.out, /left alone.*\n {4}monitor Blog \(\d+\)\n {4}monitor Job/)
    const unsure = await apply(less, '--prune')
    assert.deepEqual([unsure.status, unsure.err.includes('confirm it with --yes')], [1, true])
    const asked = await run(['apply', 'monitors.yaml', '--prune'], { ...file(less), answers: ['no'] })
    assert.deepEqual([asked.status, asked.err.endsWith('Nothing was changed.\n')], [1, true])
    assert.equal((await asks('/monitors')).length, 3)
    const pruned = await run(['apply', 'monitors.yaml', '--prune'], { ...file(less), answers: ['yes'] })
    assert.equal(pruned.status, 0, pruned.err)
    assert.match(pruned.out, /deleted monitor Job \(\d+\)/)
    assert.deepEqual(
      (await asks('/monitors')).map(({ name }: { name: string }) => name),
      ['Shop'],
    )
    assert.deepEqual(
      (await asks('/notification-contacts')).map(({ name }: { name: string }) => name),
      ['Ops'],
    )
  })

  it('says what is wrong with the file, where, and without the secrets', async () => {
    const table: [text: string, reason: RegExp][] = [
      ['monitors: [', /^monitors\.yaml:1:\d+: /],
      ['a: 1\na: 2', /^monitors\.yaml:2:1: .*unique/],
      ['- 1', /^monitors\.yaml(:1:1)?: the file must be an object, got an array$/m],
      ['monitors: []\n---\ncontacts: []', /^monitors\.yaml:2:1: a file is one document/],
      ['monitors: &all\n  - *all', /^monitors\.yaml: an alias stands inside of what it names$/m],
      ['['.repeat(100_000), /^monitors\.yaml:1:\d+: nested too deeply$/m],
      ['"\\e[31m": 1', /^monitors\.yaml:1:\d+: �\[31m is not known here$/m],
      [
        FILE.replace(`password: \${PASSWORD}`, 'password: 19283746'),
        /:14:15: monitors\.\d\.password must be a string, got a number$/m,
      ],
      [
        'contacts: [{ name: A, type: slack, config: { webhook_url: "ftp://x.example/hunter2" } }]',
        /:1:\d+: contacts\.0\.config\.webhook_url must be an http or https URL$/m,
      ],
      [
        FILE.replace('username:', 'usrname:'),
        /^monitors\.yaml:13:\d+: monitors\.0\.usrname is not known here$/m,
      ],
      [FILE.replace('type: http', 'type: tcp'), /^monitors\.yaml:8:5: monitors\.0\.port is required when/m],
      [
        FILE.replace('PASSWORD', 'NOWHERE'),
        /^monitors\.yaml:14:15: the variable NOWHERE is not set, or is empty$/m,
      ],
      [FILE.replace('PASSWORD', 'no-name'), /:14:15: \$\{no-name\} names no variable/],
      [
        FILE.replace('minutes: 5', `minutes: \${KEY}`),
        /:11:29: \S+ must be .*, got the value of \$\{KEY\}$/m,
      ],
      [FILE.replace('url: http://shop.example.com/', `url: \${KEY}`), /:10:10: \S+ must be .*\$\{KEY\}$/m],
      [
        FILE.replace('contacts: [Ops]', 'contacts: [Opps]'),
        /:17:16: "Opps" is no contact of the file or the team/,
      ],
      [
        FILE.slice(0, FILE.indexOf('  - <<'))
          .replace('type: http', 'type: ssl')
          .replace('url: http:', 'url: https:'),
        /:9:11: "Shop" is of type http/,
      ],
    ]
    for (const [text, reason] of table) {
      const { status, out, err } = await apply(text)
      assert.deepEqual([status, out], [1, ''], text)
      assert.match(err, reason)
      assert.doesNotMatch(err, NOBODY_SEES)
    }
  })

  it('stops at a refusal, says how far it came, and goes on when it runs again', async () => {
    const monitor = (name: string, url: string) =>
      `  - { name: ${name}, type: http, url: "${url}", check_interval_minutes: 5, is_active: false }\n`
    const bad = `monitors:\n${monitor('One', 'http://one.example/')}${monitor('Two', 'http://169.254.169.254/')}`
    const ran = await apply(bad)
    assert.equal(ran.status, 1)
    assert.match(
      ran.err,
      /^monitors\.yaml:3:35: monitors\.1\.url is refused: .*\nStopped after 1 of 2 changes; run it again to go on\.$/m,
    )
    const mended = await apply(bad.replace('169.254.169.254', 'two.example'))
    assert.match(mended.out, /^1 to create, 0 to change, 0 to delete, 1 as declared\.$/m)
    const free = await service.createTeam('free')
    const many = Array.from({ length: 11 }, (_, index) =>
      monitor(`Number ${index}`, 'http://x.example/'),
    ).join('')
    const environment = { url: service.url, token: free.owner }
    const full = await person.run(['apply', '-'], { input: `monitors:\n${many}`, environment })
    assert.equal(full.status, 1)
    assert.match(
      full.err,
      /^the free plan allows 10 monitors: the team has 0, and the file adds 11\. Nothing/,
    )
  })

  it('refuses names that are not one record’s', async () => {
    const twin = [
      'monitors',
      'create',
      '--name',
      'One',
      '--type',
      'heartbeat',
      '--check-interval-minutes',
      '5',
    ]
    const { out } = await run(twin)
    const one = 'monitors: [{ name: One, type: heartbeat, check_interval_minutes: 5 }]'
    assert.match((await apply(one)).err, /:1:20: "One" is the name of several monitors \(\d+, \d+\)/)
    const { status, out: exported, err } = await run(['export'])
    assert.deepEqual([status, exported.match(/name: One$/gm)?.length], [0, 2], 'nothing is left out')
    assert.match(
      exported,
      new RegExp(`# ID ${out.trim()}: another of the monitors has this name\n +- name: One`),
    )
    assert.match(
      err,
      /a name of its own:\nmonitors\.\d\.name must be unique: another of the monitors is called "One"/,
    )
    assert.match((await apply(exported)).err, /:\d+:\d+: .*must be unique: another of the monitors/)
    await run(['monitors', 'delete', out.trim()])
  })

  it('the commands of the documentation work as they stand there', async () => {
    const page = await readFile(join(ROOT, 'docs/command-line.md'), 'utf8')
    const blocks = [...page.matchAll(/^```(sh|yaml)\n(.*?)^```$/gms)]
    const textsOf = (kind: string) =>
      blocks.filter(([, each]) => each === kind).map(([, , text]) => text as string)
    const commands = textsOf('sh').join('').trimEnd().split('\n')
    assert.ok(commands.length > 10)
    const team = await service.createTeam()
    const settings = { name: 'Gate', type: 'heartbeat', check_interval_minutes: 60 }
    const gate = (await service.call(team.admin, 'POST', '/monitors', settings)).body.data
    const job = jobOf(service, gate)
    const files: Record<string, string> = { 'monitors.yaml': textsOf('yaml').join('') }
    const variables = { SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T/B/x' }
    const reader = commander()
    scope.after(async () => reader.close())
    const printed: string[] = []
    for (const command of commands) {
      const line = command
        .replace('https://upbeat.example.com', service.url)
        .replace('--monitor 1 ', `--monitor ${gate.id} `)
      const [, input, words = '', into] =
        /^(echo "\$TOKEN" \| |source <\()?upbeat ([^>|)]+?)(?: > (\S+)|\))?$/.exec(line) ?? assert.fail(line)
      const ran = await reader.run(words.split(' '), {
        files,
        variables,
        ...(input && { input: team.owner }),
        pausing: () => job(),
      })
      assert.equal(ran.status, 0, `${line}: ${ran.err}`)
      if (into) files[into] = ran.out
      printed.push(ran.out)
    }
    assert.match(printed.join(''), /^created monitor Website \(\d+\)$/m)
    assert.match(printed.join(''), /^Nothing to change: \d+ as declared\.$/m)
  })
})
