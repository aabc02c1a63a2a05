import assert from 'node:assert/strict'
import { it } from 'node:test'
import { joinProbers } from '../../../src/store/probing/memberships.ts'
import { readWaiting } from '../../../src/store/probing/schedule.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addSlots } from '../../support/records/probing.ts'

it('a monitor waits for a check when it has had none, or none since one was requested', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const holder = await joinProbers(db, { region: '', host: 'here', pid: 1 }, 3_600)
  await addSlots(db, [0, 1], { holder })
  const checkedAt = new Date()
  const checked = { state: { last_checked_at: checkedAt } }
  const asked = (laterMs: number) => ({ ...checked, check_requested_at: new Date(+checkedAt + laterMs) })
  const monitors = [
    { name: 'checked', ...checked },
    { name: 'new' },
    { name: 'asked', ...asked(1_000) },
    { name: 'answered', ...asked(-1_000) },
    { name: 'paused', is_active: false },
    { name: 'elsewhere', slot: 1 },
  ]
  const added = await addMonitors(db, monitors.length, (index) => monitors[index] ?? {})
  const waiting = await readWaiting(db, { holder, slots: [0] })
  assert.deepEqual(waiting.map(({ id }) => id).toSorted(), [added[1]?.id, added[2]?.id])
})
