import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyChanges } from '../../src/cli/apply/apply-changes.ts'
import { createMissing } from '../../src/cli/apply/import-create.ts'
import { describeImport } from '../../src/cli/apply/import-report.ts'
import type { Client } from '../../src/cli/client/client.ts'
import { overBound } from '../../src/core/accounts/over-bound.ts'
import { english } from '../../src/core/language/said.ts'
import type { Change } from '../../src/core/monitors/reconcile.ts'
import { importedOf } from '../../src/core/moving-in/report.ts'
import type { Team } from '../../src/core/teams/team.ts'

const BOUND = 30
const PEOPLE = Array.from({ length: 45 }, (_, index) => ({
  name: `Person ${index + 1}`,
  type: 'email' as const,
  config: { email: `person${index + 1}@example.org` },
  notify_on_down: true,
  notify_on_recovery: true,
}))

/** A service whose team may ask thirty addresses; each refusal is a minute later than the one before. */
function boundedClient() {
  let asked = 0
  const client: Client = {
    place: 'a service',
    pace: () => null,
    internal: null,
    async ask(_id, { body } = {}) {
      const isMail = (body as { type: string }).type === 'email'
      if (isMail && ++asked > BOUND) {
        const detail = english(overBound('inviting-team', BOUND, 3_600 - 60 * (asked - BOUND)))
        return {
          status: 429,
          headers: { 'retry-after': '3000' },
          body: { title: 'Too Many Requests', detail },
        }
      }
      return { status: 201, headers: {}, body: { data: { ...(body as object), id: asked } } }
    },
  }
  return client
}

describe('what a bound of mails holds back', () => {
  it('is counted by import, with one reason, and what needs no mail goes on', async () => {
    const hook = { ...PEOPLE[0], name: 'Hook', type: 'webhook', config: { url: 'https://hook.example' } }
    const contacts = [...PEOPLE, hook].map((wanted) => ({ wanted, existing: null }))
    const matches = { contacts, monitors: [], windows: [], pages: [], skipped: [], notes: [] } as never
    const created = await createMissing(boundedClient(), matches, () => {})
    assert.equal(created.contacts.size, BOUND + 1)
    assert.equal(created.held, PEOPLE.length - BOUND)
    assert.deepEqual(new Set(created.refused.map(({ reason }) => reason)).size, 1)
    const imported = importedOf({
      kind: 'uptimerobot',
      team: { max_monitors: null, monitors_count: 0 } as Team,
      outcome: { skipped: [], notes: [], pings: [] } as never,
      matches,
      created,
    })
    const told = describeImport(imported, null)
    assert.match(told, /31 created, .* 15 not created, 15 of them held back: import again later\.$/)
    assert.match(told, /This team has asked 30 addresses within an hour/)
  })

  it('is counted by apply, which stops there', async () => {
    const changes = PEOPLE.map(({ name, ...declared }) => ({
      action: 'create',
      kind: 'contact',
      name,
      declared: { name, ...declared },
    })) as unknown as Change[]
    const lines: string[] = []
    const applying = applyChanges(
      boundedClient(),
      changes,
      { team: null, contacts: [], monitors: [], tags: null },
      (line) => lines.push(line),
    )
    await assert.rejects(applying, {
      message:
        /This team has asked 30 .*\n15 of 45 changes are held back\. Stopped after 30 of 45 changes; run it again to go on\.$/,
    })
    assert.equal(lines.length, BOUND)
  })
})
