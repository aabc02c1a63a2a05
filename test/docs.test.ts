import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { DEFAULT_PLANS } from '../src/core/plan.ts'
import { type Block, docsFiles, nameOf, readBlocks } from './support/docs-blocks.ts'
import { isInstalled } from './support/installed.ts'

const ROOT = join(import.meta.dirname, '..')
/** `text` is what is printed or described, not run: a synopsis, a table of figures. */
const LANGUAGES =
  'sh json yaml toml ini cron nginx caddy ts python go php markdown text promql http sql'.split(' ')

const blocks = docsFiles().flatMap(readBlocks)
const withLang = (lang: string) => blocks.filter((block) => block.lang === lang)

describe('the examples of the documentation', () => {
  it('name their language', () => {
    const unnamed = blocks.filter(({ lang }) => !LANGUAGES.includes(lang))
    assert.deepEqual(unnamed.map(nameOf), [])
  })

  it('are JSON where they say so', () => {
    assert.ok(withLang('json').length >= 5)
    for (const block of withLang('json')) assert.doesNotThrow(() => JSON.parse(block.text), nameOf(block))
  })

  it('are YAML where they say so', () => {
    assert.ok(withLang('yaml').length >= 5)
    for (const block of withLang('yaml')) {
      const errors = parseAllDocuments(block.text).flatMap((document) => document.errors)
      assert.deepEqual(errors, [], nameOf(block))
    }
  })

  it('are commands that a shell can read', () => {
    for (const block of [...withLang('sh'), ...readBlocks('README.md').filter(({ lang }) => lang === 'sh')]) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' })
      assert.equal(status, 0, `${nameOf(block)}\n${stderr}`)
    }
  })

  it('are units that systemd takes', (test) => {
    if (!isInstalled('systemd-analyze')) return test.skip('systemd is not installed')
    const folder = temporaryFolder(test)
    const units = withLang('ini').map((block) => ({ block, name: unitName(block) }))
    assert.deepEqual(
      units.map(({ name }) => name),
      ['heartbeat@.service', 'backup.service', 'backup.timer', 'old-backup.service'],
    )
    for (const { block, name } of units) writeFileSync(join(folder, name), block.text)
    const paths = units.map(({ name }) => join(folder, name.replace('@.', '@backup.')))
    writeFileSync(join(folder, 'heartbeat@backup.service'), units[0]?.block.text ?? '')
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
      encoding: 'utf8',
    })
    // It looks at the units of this machine, too, and has its opinions about those.
    const about = stderr.split('\n').filter((line) => line.includes(folder))
    assert.deepEqual(about, [])
    assert.equal(status, 0, stderr)
  })

  it('are a site that nginx takes', (test) => {
    if (!isInstalled('nginx', '-v')) return test.skip('nginx is not installed')
    if (!isInstalled('openssl', 'version')) return test.skip('openssl is not installed')
    const folder = temporaryFolder(test)
    const [site] = withLang('nginx')
    const subject = ['-subj', '/CN=upbeat.example.com', '-days', '1']
    const files = ['-keyout', join(folder, 'upbeat.key'), '-out', join(folder, 'upbeat.pem')]
    const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files])
    assert.equal(made.status, 0, String(made.stderr))
    // A socket of its own, and folders that anybody may make: the port and the usual ones are for root.
    const server = (site?.text ?? '')
      .replaceAll('/etc/ssl/', `${folder}/`)
      .replace('listen 443 ssl', `listen unix:${folder}/socket ssl`)
      .replace('listen [::]:443 ssl;', '')
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = folders.map((name) => `${name}_temp_path ${folder}/${name};`)
    const top = [`pid ${folder}/pid;`, `error_log ${folder}/error.log;`, 'events {}']
    const config = [...top, 'http {', 'access_log off;', ...temporary, server, '}'].join('\n')
    writeFileSync(join(folder, 'nginx.conf'), config)
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', join(folder, 'nginx.conf'), '-p', folder], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
  })

  it('are a site that Caddy takes', (test) => {
    if (!isInstalled('caddy', 'version')) return test.skip('Caddy is not installed')
    const folder = temporaryFolder(test)
    writeFileSync(join(folder, 'Caddyfile'), withLang('caddy')[0]?.text ?? '')
    const args = ['adapt', '--validate', '--config', join(folder, 'Caddyfile')]
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const { status, stderr } = spawnSync('caddy', args, { encoding: 'utf8', env })
    assert.equal(status, 0, stderr)
  })
})

describe('docs/configuration.md', () => {
  const text = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
  const rows = [...text.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell as string)

  it('lists the variables that the service reads', () => {
    const source = readFileSync(join(ROOT, 'src/config.ts'), 'utf8')
    const called = [...source.matchAll(/read\('([A-Z_]+)'\)/g)].map(([, name]) => name as string)
    const named = [...source.matchAll(/^ {2}([A-Z_]+): '/gm)].map(([, name]) => name as string)
    // Node itself reads this one.
    const read = new Set([...called, ...named, 'NODE_EXTRA_CA_CERTS'])
    const documented = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))
    assert.deepEqual(documented.sort(), [...read].sort())
  })

  it('lists the plans as they are', () => {
    const interval = (seconds: number) =>
      seconds < 60 ? amount(seconds, 'second') : amount(seconds / 60, 'minute')
    const expected = Object.entries(DEFAULT_PLANS).map(([name, plan]) => {
      const monitors = plan.max_monitors ?? 'unlimited'
      const history = plan.check_history_days === null ? 'for ever' : amount(plan.check_history_days, 'day')
      return `| \`${name}\` | ${monitors} | ${interval(plan.min_interval_seconds)} | ${history} |`
    })
    assert.deepEqual(text.match(/^\| `[a-z]+` \|.*$/gm), expected)
  })
})

/** The file that the words before a unit tell to put it into. */
function unitName({ text }: Block): string {
  if (text.includes('[Timer]')) return 'backup.timer'
  if (text.includes('%i')) return 'heartbeat@.service'
  return text.includes('OnSuccess=') ? 'backup.service' : 'old-backup.service'
}

function amount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function temporaryFolder(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'upbeat-docs-'))
  test.after(() => rmSync(folder, { recursive: true }))
  return folder
}
