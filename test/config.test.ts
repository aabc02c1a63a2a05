import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError, readConfig, readRemoteEnvironment } from '../src/config.ts'

const CLIENT = { OIDC_CLIENT_ID: 'upbeat', OIDC_CLIENT_SECRET: 'hunter2' }

const PROBE_TOKEN = `upbp_${'a'.repeat(46)}`
const REMOTE = { PROBE_URL: 'https://status.example.com', PROBE_TOKEN, REGION: 'nyc' }

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
  [
    'SITE_URL',
    'https://x.example/upbeat',
    /^is "https:\/\/x\.example\/upbeat": it takes an address without a path/,
  ],
  ['DOCS_URL', 'ftp://x.example', /^is "ftp:\/\/x\.example": it takes an http or https address/],
  ['DATABASE_URL', 'mysql://u:hunter2@db/x', /^is "mysql:\/\/u:\*\*\*@db\/x": it takes postgres:\/\//],
  [
    'DATABASE_URL',
    'postgres://u:hunter2@db/x?sslmode=no',
    /^is "postgres:\/\/u:\*\*\*@db\/x\?sslmode=no": it takes sslmode one of disable, prefer, require/,
  ],
  ['DATABASE_CONNECTIONS', '1', /^is "1": it takes a whole number from 2 to 500$/],
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
  ['PROBE_URL', 'status.example.com', /: it takes an http or https address/, REMOTE],
  ['PROBE_URL', 'http://status.example.com', /: it takes an https address: http is for this/, REMOTE],
  ['PROBE_URL', '', /^is "": it takes the address of the service, required with PROBE_TOKEN$/, REMOTE],
  ['PROBE_TOKEN', '', /^is "": it takes a token .*, required with PROBE_URL$/, REMOTE],
  ['PROBE_TOKEN', 'upb_hunter2', /^is "\(hidden\)": it takes a token that upbeat probe create/, REMOTE],
  ['REGION', '', /^is "": it takes the region that the token of PROBE_TOKEN was made for$/, REMOTE],
  ['ROLES', 'probe,scheduler', /^is "probe,scheduler": it takes probe alone, with PROBE_URL$/, REMOTE],
  ['SMTP_URL', 'http://u:hunter2@mail', /^is "http:\/\/u:\*\*\*@mail": it takes smtp:\/\//],
  ['SMTP_URL', 'smtp://u:hunt#er2@mail', /^is "smtp:\/\/u:\*\*\*@mail": .* \(# is %23\)$/],
  ['SMTP_URL', 'smtp://mail?tls=maybe', /: it takes .*\?tls=required\|opportunistic\|off and &verify=false/],
  ['SMTP_URL', 'smtp://mail?verify=no', /: it takes .*&verify=false/],
  ['SMTP_URL', 'smtps://mail?tls=off', /: it takes .*\?tls=required/],
  ['MAIL_FROM', 'upbeat', /^is "upbeat": it takes an e-mail address/],
  ['SECURITY_CONTACT', 'http://x.example/', /: it takes an e-mail address such as .*, or an https address$/],
  ['SECURITY_CONTACT', 'Ann', /^is "Ann": it takes an e-mail address/],
  ['PRIVATE_TARGETS', 'no', /^is "no": it takes one of allow, deny$/],
  [
    'DOCKER_SOCKETS',
    '/run/a, run/b',
    /^is "run\/b": it takes paths of sockets, such as \/var\/run\/docker.sock$/,
  ],
  [
    'BROWSER_PATH',
    'chromium',
    /^is "chromium": it takes the path of a program that can be run, such as \/usr\/bin\/chromium$/,
  ],
  ['BROWSER_PATH', '/nowhere/chromium', /: it takes the path of a program that can be run/],
  ['BROWSER_CHECKS', '0', /^is "0": it takes a whole number from 1 to 64$/],
  ['PRIVATE_REDIRECTS', 'yes', /^is "yes": it takes one of allow, deny$/],
  [
    'TRUST_PROXY',
    'proxy.example',
    /^is "proxy\.example": it takes a number of hops, or addresses and networks/,
  ],
  ['PLANS_FILE', '/nowhere/plans.json', /^is "\/nowhere\/plans\.json": it takes a readable JSON file/],
  ['SIGNUP', 'maybe', /^is "maybe": it takes one of closed, open$/],
  ['LOG_LEVEL', 'loud', /^is "loud": it takes one of trace, debug, info, warn, error, fatal, silent$/],
  [
    'OIDC_ISSUER',
    'accounts.example.com',
    /^is "accounts\.example\.com": it takes the address of a provider/,
    CLIENT,
  ],
  ['OIDC_ISSUER', 'http://sso.example', /: it takes the address .*; http is for this machine only$/, CLIENT],
  ['OIDC_ISSUER', 'https://u:hunter2@sso.example', /^is "https:\/\/u:\*\*\*@sso\.example": it takes/, CLIENT],
  ['OIDC_ISSUER', 'https://sso.example/?a=1', /: it takes the address of a provider/, CLIENT],
  ['OIDC_ISSUER', '', /^is "": it takes .*, required with OIDC_CLIENT_ID$/, CLIENT],
  [
    'OIDC_CLIENT_ID',
    '',
    /^is "": it takes .*, required with OIDC_ISSUER$/,
    { OIDC_ISSUER: 'https://sso.example' },
  ],
  [
    'OIDC_CLIENT_SECRET',
    '',
    /^is "": it takes .*, required with OIDC_ISSUER$/,
    { OIDC_ISSUER: 'https://sso.example', OIDC_CLIENT_ID: 'upbeat' },
  ],
  [
    'OIDC_NAME',
    'x'.repeat(51),
    /^is "x+": it takes a name of at most 50 characters/,
    { ...CLIENT, OIDC_ISSUER: 'https://sso.example' },
  ],
  ['TWILIO_API_URL', 'api.twilio.com', /^is "api\.twilio\.com": it takes an http or https address/],
  ['TELEGRAM_API_URL', 'api.telegram.org', /^is "api\.telegram\.org": it takes an http or https address/],
]

/** The one line of a configuration that is refused. */
function refusalOf(environment: Record<string, string>): string {
  const message = messageOf(() => readConfig(environment))
  assert.doesNotMatch(message, /\n|hunter2/)
  return message
}

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return assert.fail('nothing was refused')
}

describe('a wrong setting is refused by its name, with what it is and what it takes', () => {
  for (const [variable, value, line, others] of WRONG) {
    it(`${variable}=${value}`, () => {
      const said = refusalOf({ ...others, [variable]: value })
      assert.ok(said.startsWith(`${variable} `), said)
      assert.match(said.slice(variable.length + 1), line)
    })
  }

  it('PLANS_FILE with an unknown plan or limit, or that is no JSON', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    t.after(() => rm(directory, { recursive: true, force: true }))
    const file = join(directory, 'plans.json')
    for (const content of ['{"gold": {"max_monitors": 1}}', '{"free": {"max_monitor": 1}}', '{']) {
      await writeFile(file, content)
      assert.match(refusalOf({ PLANS_FILE: file }), /^PLANS_FILE is .*: it takes a readable JSON file/)
    }
    await writeFile(file, '{"free": {"max_monitors": 20}}')
    assert.equal(readConfig({ PLANS_FILE: file }).plans.free.max_monitors, 20)
  })
})

it('without any variable everything has its default, and an empty one counts as none', () => {
  const { port, host, siteUrl, docsUrl, region, smtpUrl, mailFrom, privateTargets, roles, ...rest } =
    readConfig({
      PORT: '',
      REGION: ' ',
    })
  assert.deepEqual([port, host], [3000, '0.0.0.0'])
  assert.deepEqual([siteUrl, docsUrl], ['http://localhost:3000', 'http://localhost:3000/docs'])
  assert.deepEqual(
    [region, smtpUrl, mailFrom, privateTargets, rest.privateRedirects],
    [null, null, 'Upbeat <upbeat@localhost>', 'allow', 'deny'],
  )
  assert.deepEqual([...roles], ['api', 'scheduler', 'probe', 'alerts'])
  assert.deepEqual(
    [rest.databaseUrl, rest.secretKey, rest.trustedProxies, rest.signup, rest.oidc, rest.securityContact],
    [null, null, null, 'closed', null, null],
  )
})

it('a valid value is taken as it stands', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '::1',
    SITE_URL: 'https://status.example.com/',
    MAIL_FROM: 'Upbeat <upbeat@example.com>',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    ROLES: 'probe, scheduler',
  })
  assert.deepEqual([config.port, config.host, config.siteUrl], [8080, '::1', 'https://status.example.com'])
  assert.equal(config.mailFrom, 'Upbeat <upbeat@example.com>')
  assert.deepEqual(config.trustedProxies, { networks: ['10.0.0.0/8', '::1'] })
  assert.deepEqual([...config.roles], ['probe', 'scheduler'])
})

it('the contact for vulnerabilities is an address, or a page over HTTPS', () => {
  for (const [value, contact] of [
    ['security@example.com', 'mailto:security@example.com'],
    ['mailto:security@example.com', 'mailto:security@example.com'],
    ['https://example.com/security', 'https://example.com/security'],
  ] as const) {
    assert.equal(readConfig({ SECURITY_CONTACT: value }).securityContact, contact)
  }
})

it('a remote probe has one role, no database, and listens for its own machine alone', () => {
  const { roles, host, region, remote } = readConfig(REMOTE)
  assert.deepEqual([[...roles], host, region], [['probe'], '127.0.0.1', 'nyc'])
  assert.deepEqual(remote, { url: REMOTE.PROBE_URL, token: PROBE_TOKEN })
  assert.equal(
    readConfig({ ...REMOTE, PROBE_URL: 'http://127.0.0.1:3000' }).remote?.url,
    'http://127.0.0.1:3000',
  )
  const both = { ...REMOTE, DATABASE_URL: 'postgres://db/x', SECRET_KEY: 'x'.repeat(16) }
  assert.match(refusalOf(both), /^PROBE_URL is .*: it takes no DATABASE_URL beside it/)
})

it('a provider of identities is called by its host unless it has a name, and may be on this machine', () => {
  for (const [issuer, name] of [
    ['https://sso.example/realms/a/', 'sso.example'],
    [`https://${'x'.repeat(60)}.example`, `${'x'.repeat(60)}.example`],
    ['http://localhost:8080', 'localhost'],
    ['http://127.0.0.1:8080', '127.0.0.1'],
    ['http://[::1]:8080', '[::1]'],
  ] as const) {
    const expected = { issuer, clientId: 'upbeat', clientSecret: 'hunter2', name }
    assert.deepEqual(readConfig({ ...CLIENT, OIDC_ISSUER: issuer }).oidc, expected)
    const named = readConfig({ ...CLIENT, OIDC_ISSUER: issuer, OIDC_NAME: 'Example SSO' }).oidc
    assert.deepEqual(named, { ...expected, name: 'Example SSO' })
  }
})

describe('the environment of commands to a remote service', () => {
  it('is an address, a token, and the folder of a person’s settings', () => {
    const read = readRemoteEnvironment({
      UPBEAT_URL: 'https://status.example.com/',
      UPBEAT_TOKEN: ' upb_x\n',
      XDG_CONFIG_HOME: '/home/ann/settings',
    })
    const expected = { url: 'https://status.example.com', token: 'upb_x', configHome: '/home/ann/settings' }
    assert.deepEqual(read, expected)
  })

  it('is nothing where nothing is set; a folder that is not absolute is none', () => {
    const { url, token, configHome } = readRemoteEnvironment({ UPBEAT_URL: '', XDG_CONFIG_HOME: 'settings' })
    assert.deepEqual([url, token], [null, null])
    assert.match(configHome, /^\/.*\.config$/)
  })

  it('refuses what is no address', () => {
    assert.throws(
      () => readRemoteEnvironment({ UPBEAT_URL: 'status' }),
      /^Error: UPBEAT_URL is "status": it takes/,
    )
  })
})

it('mail comes from a name that people see', () => {
  const table: [from: string, seen: string][] = [
    ['alerts@example.com', 'Upbeat <alerts@example.com>'],
    ['<alerts@example.com>', 'Upbeat <alerts@example.com>'],
    ['Ops <alerts@example.com>', 'Ops <alerts@example.com>'],
    ['"Ops, at night" <alerts@example.com>', '"Ops, at night" <alerts@example.com>'],
  ]
  for (const [MAIL_FROM, seen] of table) assert.equal(readConfig({ MAIL_FROM }).mailFrom, seen)
})

it('a mail server is told the host of SITE_URL, or that of the sender while the site is this machine', () => {
  const table: [settings: Record<string, string>, name: string | null][] = [
    [{ SITE_URL: 'https://status.example.com' }, 'status.example.com'],
    [{ SITE_URL: 'https://status.example.com', MAIL_FROM: 'a@mail.example' }, 'status.example.com'],
    [{ MAIL_FROM: 'Ops <ops@mail.example>' }, 'mail.example'],
    [{ SITE_URL: 'http://192.0.2.1:3000', MAIL_FROM: 'ops@mail.example' }, 'mail.example'],
    [{ SITE_URL: 'http://[2001:db8::1]' }, null],
    [{}, null],
  ]
  for (const [settings, name] of table)
    assert.equal(readConfig(settings).mailName, name, JSON.stringify(settings))
})
