import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = resolve(import.meta.dirname, '../..')
const TOKENS = sheet('src/pages/look/tokens.css')
/** Sheets of screens and pages that share the tokens; status pages have a look of their own. */
const OTHERS = [
  ...readdirSync(join(ROOT, 'dashboard'))
    .filter((name) => name.endsWith('.css'))
    .map((name) => `dashboard/${name}`),
  'src/pages/docs/docs.css',
]

function sheet(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The tokens that a sheet gives a value, with it. */
function given(css: string): [string, string][] {
  return [...css.matchAll(/^\s*--([\w-]+):\s*([^;]+);/gm)].map(([, name, value]) => [
    name as string,
    value as string,
  ])
}

describe('the colors of screens and pages', () => {
  it('stand once each, with their light and their dark look', () => {
    const names = given(TOKENS).map(([name]) => name)
    assert.deepEqual(names, [...new Set(names)])
    const colored = given(TOKENS).filter(([, value]) => /#[\da-f]{3}|rgb\(/.test(value))
    assert.ok(colored.length > 20)
    for (const [name, value] of colored) assert.match(value, /light-dark\(/, name)
  })

  it('are given no other value elsewhere, but for the white of paper', () => {
    const names = new Set(given(TOKENS).map(([name]) => name))
    const again = OTHERS.flatMap((path) =>
      given(sheet(path)).flatMap(([name]) => (names.has(name) ? [`${path}: ${name}`] : [])),
    )
    assert.deepEqual(again, ['dashboard/print.css: paper'])
  })
})
