import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { DEFAULT_PLANS } from '../../src/core/teams/plan.ts'
import { docsFiles, nameOf, readBlocks } from '../support/documents/docs-blocks.ts'

const ROOT = join(import.meta.dirname, '../..')
/** `text` is what is printed or described, not run: a synopsis, a table of figures. */
const LANGUAGES =
  'sh json yaml toml ini cron nginx caddy haproxy ts python go php markdown text promql http sql powershell'.split(
    ' ',
  )

/** Names and commands by turns: a shell starts others for far less than this process does. */
const READ_EACH = `
  read=0
  while [ $# -gt 0 ]; do
    bash -n <<<"$2" 2>&1 || echo "in $1"
    shift 2
    read=$((read + 1))
  done
  echo "$read read"`

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
    const commands = [...withLang('sh'), ...readBlocks('README.md').filter(({ lang }) => lang === 'sh')]
    const texts = commands.map((block) => [nameOf(block), block.text])
    const { status, stdout } = spawnSync('bash', ['-c', READ_EACH, 'bash', ...texts.flat()], {
      encoding: 'utf8',
    })
    assert.deepEqual([stdout, status], [`${texts.length} read\n`, 0])
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
      const { max_monitors, max_status_pages, max_own_domains, max_servers, max_sites } = plan
      const limits = [max_monitors, max_status_pages, max_own_domains, max_servers, max_sites]
      const [monitors, pages, domains, servers, sites] = limits.map((limit) => limit ?? 'unlimited')
      const history = plan.check_history_days === null ? 'forever' : amount(plan.check_history_days, 'day')
      const kept = `${interval(plan.min_interval_seconds)} | ${history}`
      const ofSites = `${sites} | ${plan.max_crawl_pages}`
      return `| \`${name}\` | ${monitors} | ${kept} | ${pages} | ${domains} | ${servers} | ${ofSites} |`
    })
    assert.deepEqual(text.match(/^\| `[a-z]+` \|.*$/gm), expected)
  })
})

function amount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
