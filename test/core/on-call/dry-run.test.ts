import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DryRunSetting, dryRun } from '../../../src/core/on-call/dry-run.ts'
import type { Reachable } from '../../../src/core/on-call/escalation.ts'

const T = new Date('2026-11-22T03:00:00Z')
const HOUR_MS = 3_600_000
const contact = (contactId: number, changes: Partial<Reachable> = {}): Reachable => ({
  contactId,
  attached: false,
  notifyOnDown: true,
  notifyOnRecovery: true,
  lastAlertedAt: null,
  ...changes,
})
const step = (after_minutes: number, contact_ids: number[], schedule_id: number | null = null) => ({
  after_minutes,
  contact_ids,
  schedule_id,
})

/** The events of a dry run, as `03:10 step 1: 2`. */
function told(changes: Partial<DryRunSetting<Reachable>> & { steps?: ReturnType<typeof step>[] }, hours = 3) {
  const { steps = [step(10, [2])], ...rest } = changes
  const setting: DryRunSetting<Reachable> = {
    chain: { steps, repeats: 0, repeat_every_minutes: 60 },
    reminderMinutes: null,
    contacts: [contact(1, { attached: true }), contact(2), contact(3)],
    onCallAt: () => null,
    restsUntil: () => null,
    ...rest,
  }
  const events = dryRun(setting, T, { until: new Date(T.getTime() + hours * HOUR_MS), limit: 50 })
  return events.map(({ kind, number, at, contacts, unreached }) => {
    const whom = unreached ?? contacts.map(({ contactId }) => contactId).join(' ')
    return `${at.toISOString().slice(11, 16)} ${kind} ${number}: ${whom}`
  })
}

describe('the dry run of an escalation', () => {
  it('alerts as rule 3 says, then step by step', () => {
    const steps = [step(10, [2]), step(30, [3, 2])]
    assert.deepEqual(told({ steps }), ['03:00 alert 0: 1', '03:10 step 1: 2', '03:30 step 2: 2 3'])
    assert.deepEqual(told({ contacts: [contact(1), contact(2, { notifyOnDown: false })] }), [
      '03:00 alert 0: 1',
      '03:10 step 1: unreachable',
    ])
  })

  it('begins again for each repeat', () => {
    const chain = { steps: [step(0, [2]), step(20, [3])], repeats: 2, repeat_every_minutes: 45 }
    assert.deepEqual(told({ chain }), [
      ...['03:00 alert 0: 1', '03:00 step 1: 2', '03:20 step 2: 3'],
      ...['03:45 step 1: 2', '04:05 step 2: 3', '04:30 step 1: 2', '04:50 step 2: 3'],
    ])
  })

  it('alerts nobody twice in one minute: not by a step of minute 0, and not by a reminder', () => {
    assert.deepEqual(told({ steps: [step(0, [1])] }), ['03:00 alert 0: 1', '03:00 step 1: just alerted'])
    assert.deepEqual(told({ steps: [step(30, [1, 2])], reminderMinutes: 30 }, 1), [
      ...['03:00 alert 0: 1', '03:30 step 1: 1 2', '03:30 reminder 1: just alerted', '04:00 reminder 2: 1'],
    ])
  })

  it('asks the schedule at the time of the step', () => {
    const steps = [step(10, [], 7), step(70, [], 7)]
    const onCallAt = (_: number, at: Date) => (at.getUTCHours() < 4 ? [2] : [3])
    assert.deepEqual(told({ steps, onCallAt }), ['03:00 alert 0: 1', '03:10 step 1: 2', '04:10 step 2: 3'])
  })

  it('hands over at once where nobody is on call, and leaves the later steps at their minutes', () => {
    const steps = [step(10, [], 7), step(30, [2]), step(60, [3])]
    assert.deepEqual(told({ steps }), [
      ...['03:00 alert 0: 1', '03:10 step 1: gap', '03:10 step 2: 2', '04:00 step 3: 3'],
    ])
    assert.deepEqual(told({ steps: [step(10, [], 7)] }), ['03:00 alert 0: 1', '03:10 step 1: gap'])
  })

  it('rests during maintenance, and begins at its end if that covers the failure', () => {
    const end = new Date('2026-11-22T04:05:00Z')
    const from = (start: string) => (at: Date) => (at >= new Date(start) && at < end ? end : null)
    assert.deepEqual(told({ restsUntil: from('2026-11-22T02:00:00Z') }), [
      '04:05 alert 0: 1',
      '04:15 step 1: 2',
    ])
    const steps = [step(10, [2]), step(20, [2]), step(40, [3])]
    assert.deepEqual(told({ steps, restsUntil: from('2026-11-22T03:15:00Z'), reminderMinutes: 30 }, 2), [
      ...['03:00 alert 0: 1', '03:10 step 1: 2', '04:05 step 2: 2', '04:05 reminder 1: 1'],
      ...['04:05 step 3: 3', '04:35 reminder 2: 1'],
    ])
  })
})
