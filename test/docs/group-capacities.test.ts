import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CAPACITIES } from '../../src/alerts/channels.ts'
import { type Capacity, partsOfGroup } from '../../src/alerts/text/group.ts'
import { keysOf } from '../../src/core/shape.ts'
import { DOWN } from '../support/servers/receivers-alert.ts'

const SITE_URL = 'https://upbeat.example.com'
/** Each leaves a number of four digits to count, the first two beside what most types hold. Few are composed sooner. */
const [FEW, SOME, MANY] = [1_150, 2_400, 9_500]

/** The names that the messages of one group hold, where all have as many characters. */
function namesHeld(capacity: Capacity, length: number): number {
  for (const count of [FEW, SOME]) {
    const held = namesHeldOf(count, capacity, length)
    if (count - held >= 1_000) return held
  }
  return namesHeldOf(MANY, capacity, length)
}

function namesHeldOf(count: number, capacity: Capacity, length: number): number {
  const alerts = Array.from({ length: count }, (_, index) => ({
    ...{ ...DOWN, teamId: 7, id: index + 1 },
    name: String(index).padStart(length, 'n'),
  }))
  const acknowledgeUrl = `${SITE_URL}/ack/g123456-1234-${'0'.repeat(32)}`
  const parts = partsOfGroup(alerts, capacity, { siteUrl: SITE_URL, acknowledgeUrl })
  return parts.flatMap(({ message }) => message.names?.flatMap(([, names]) => names) ?? []).length
}

test('docs/alerts.md says how many names each type holds', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8')
  const rows = keysOf(CAPACITIES).flatMap((type) => {
    const capacity: Capacity | null = CAPACITIES[type]
    if (!capacity) return []
    const [short, long] = [20, 50].map((length) => String(namesHeld(capacity, length)))
    return [`| \`${type}\` | ${capacity.messages} | ${short} | ${long} |`]
  })
  const written = page.split('\n').filter((line) => /^\| `\w+` \| \d+ \| \d+ \| \d+ \|$/.test(line))
  assert.deepEqual(written, rows)
})
