import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { misspelt, VARIABLES } from '../src/variables.ts'

const root = join(import.meta.dirname, '..')

test('the settings are those that docs/configuration.md lists', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  const [service = ''] = page.split('The [command line]')
  const cells = [...service.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = '']) => cell)
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))
  assert.deepEqual(listed.toSorted(), VARIABLES.toSorted())
})

test('a name that looks like a misspelt setting is told with what was meant, and no other is', () => {
  const told: [name: string, meant: string][] = [
    ['SITE_ULR', 'SITE_URL'],
    ['site_url', 'SITE_URL'],
    ['UPBEAT_SITE_URL', 'SITE_URL'],
    ['SMTP_URI', 'SMTP_URL'],
    ['SINGUP', 'SIGNUP'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['PRIVAT_TARGET', 'PRIVATE_TARGETS'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
  ]
  for (const [name, meant] of told) {
    assert.deepEqual(misspelt([name]), [
      `${name} is no setting of Upbeat and is ignored: did you mean ${meant}?`,
    ])
  }
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'POST',
    'PORTS',
    'ROLE',
    'LANG',
    'AWS_REGION',
    'PGHOST',
    'NODE_ENV',
  ]
  const kubernetes = ['UPBEAT_PORT', 'UPBEAT_SERVICE_HOST', 'UPBEAT_PORT_3000_TCP']
  assert.deepEqual(misspelt([...others, ...kubernetes, ...VARIABLES, 'UPBEAT_URL', 'UPBEAT_TOKEN']), [])
  assert.deepEqual(misspelt(['SITE_URLS', 'SITE_URL']), [], 'the one that was meant is there')
})
