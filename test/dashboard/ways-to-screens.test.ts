import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { actionsFor } from '../../dashboard/app/palette-actions.ts'
import { SUBJECT_NAMES } from '../../src/core/maintenance/subject-kind.ts'
import { SCREENS } from '../support/browser/role-screens.ts'

const DASHBOARD = join(import.meta.dirname, '../../dashboard')
/** Neither the router nor the palette, which lists addresses for those who know what they look for. */
const LINKING = globSync('{app,parts,screens}/**/*.tsx', { cwd: DASHBOARD }).map(read)

/** Screens of a team that people reach otherwise: new teams begin there. */
const NOT_IN_PALETTE = ['/teams/$team/welcome']

/** The first tab of the team, whose row says what is on it. */
const NOT_IN_DOCS = ['General']

function read(file: string): string {
  return readFileSync(join(DASHBOARD, file), 'utf8')
}

describe('each screen', () => {
  it('has a link that leads to it, or a redirect', () => {
    const alone = Object.keys(SCREENS).filter(
      (route) => !LINKING.some((text) => text.includes(`'${route}'`) || text.includes(`"${route}"`)),
    )
    assert.deepEqual(alone, [])
  })

  it('of a team can be found by the palette, unless it is about one record', () => {
    const found = new Set<string>(actionsFor(() => true).map(({ to }) => to))
    const missing = Object.keys(SCREENS).filter(
      (route) => /^\/teams\/\$team(\/[^$]+)?$/.test(route) && !found.has(route),
    )
    assert.deepEqual(missing, NOT_IN_PALETTE)
  })

  it('in a menu is in the table of docs/dashboard.md', () => {
    const [, table = ''] = /^## Screens\n(.*?)^## /ms.exec(read('../docs/dashboard.md')) ?? []
    const labels = ['app/shell.tsx', 'app/settings-frame.tsx'].flatMap((file) =>
      [...read(file).matchAll(/ to: '[^']+', label: t\('([^']+)'\)/g)].map(([, label = '']) => label),
    )
    labels.push(...Object.values(SUBJECT_NAMES))
    assert.ok(labels.includes('Monitors') && labels.includes('Members'))
    const missing = labels.filter((label) => !table.toLowerCase().includes(label.toLowerCase()))
    assert.deepEqual(missing, NOT_IN_DOCS)
  })
})
