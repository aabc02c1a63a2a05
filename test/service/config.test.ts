import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runCommand } from '../support/command.ts'

/** A variable, a value it does not take, and how the line goes on after the variable's name. */
const WRONG: [variable: string, value: string, line: RegExp, others?: Record<string, string>][] = [
  ['PORT', 'http', /^is "http": it takes a whole number from 0 to 65535$/],
  ['PORT', '65536', /^is "65536": it takes a whole number from 0 to 65535$/],
  ['HOST', 'not a host', /^is "not a host": it takes an address or a host name/],
  ['SITE_URL', 'status.example.com', /^is "status\.example\.com": it takes an http or https address/],
  [
    'SITE_URL',
    'https://x.example/?a=1',
    /^is "https:\/\/x\.example\/\?a=1": it takes an http or https address/,
  ],
  ['DOCS_URL', 'ftp://x.example', /^is "ftp:\/\/x\.example": it takes an http or https address/],
  ['DATABASE_URL', 'mysql://u:hunter2@db/x', /^is "mysql:\/\/u:\*\*\*@db\/x": it takes postgres:\/\//],
  ['SECRET_KEY', 'hunter2', /^is "\(hidden\)": it takes at least 16 characters/],
  [
    'SECRET_KEY',
    '',
    /^is "": it takes a secret .* required with DATABASE_URL$/,
    { DATABASE_URL: 'postgres://db/x' },
  ],
  ['SECRET_KEY_PREVIOUS', 'hunter2', /^is "\(hidden\)": it takes at least 16 characters/],
  ['REGION', 'London', /^is "London": it takes 1 to 16 characters/],
  ['REGION', 'a-region-with-a-long-name', /: it takes 1 to 16 characters/],
  ['ROLES', 'api,web', /^is "web": it takes one of api, scheduler, probe, alerts$/],
  ['SMTP_URL', 'http://u:hunter2@mail', /^is "http:\/\/u:\*\*\*@mail": it takes smtp:\/\//],
  ['MAIL_FROM', 'upbeat', /^is "upbeat": it takes an e-mail address/],
  ['PRIVATE_TARGETS', 'no', /^is "no": it takes one of allow, deny$/],
  [
    'TRUST_PROXY',
    'proxy.example',
    /^is "proxy\.example": it takes a number of hops, or addresses and networks/,
  ],
  ['PLANS_FILE', '/nowhere/plans.json', /^is "\/nowhere\/plans\.json": it takes a readable JSON file/],
  ['SIGNUP', 'maybe', /^is "maybe": it takes one of closed, open$/],
  ['LOG_LEVEL', 'loud', /^is "loud": it takes one of trace, debug, info, warn, error, fatal, silent$/],
  ['TELEGRAM_API_URL', 'api.telegram.org', /^is "api\.telegram\.org": it takes an http or https address/],
]

describe('a wrong setting stops the start', { concurrency: 2 }, () => {
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    await chmod(directory, 0o711)
  })
  after(() => rm(directory, { recursive: true, force: true }))

  /** The one line on standard error of a start that was refused. */
  async function refusalWith(env: Record<string, string>): Promise<string> {
    const { status, out, err } = await runCommand({ DATA_DIR: directory, ...env }, ['serve'])
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /^[^\n]+\n$/, 'one line')
    assert.doesNotMatch(err, /hunter2/)
    return err.trimEnd()
  }

  for (const [variable, value, line, others] of WRONG) {
    it(`${variable}=${value}`, async () => {
      const said = await refusalWith({ [variable]: value, ...others })
      assert.ok(said.startsWith(`${variable} `), said)
      assert.match(said.slice(variable.length + 1), line)
    })
  }

  it('PLANS_FILE with an unknown plan or limit', async () => {
    const file = join(directory, 'plans.json')
    for (const content of ['{"gold": {"max_monitors": 1}}', '{"free": {"max_monitor": 1}}', '{']) {
      await writeFile(file, content)
      assert.match(
        await refusalWith({ PLANS_FILE: file }),
        /^PLANS_FILE is .*: it takes a readable JSON file/,
      )
    }
  })

  it('an address that is not of this machine ends the start with one line', async () => {
    // 192.0.2.0/24 is for documentation; nobody has it.
    const env = { DATA_DIR: directory, HOST: '192.0.2.1', PORT: '0', LOG_LEVEL: 'silent' }
    const { status, out, err } = await runCommand(env, ['serve'])
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /^[^\n]*192\.0\.2\.1[^\n]*\n$/)
  })

  it('any command is refused, not only the service', async () => {
    const { status, out, err } = await runCommand({ DATA_DIR: directory, SIGNUP: 'maybe' }, ['token', 'list'])
    assert.deepEqual([status, out, err], [1, '', 'SIGNUP is "maybe": it takes one of closed, open\n'])
  })
})
