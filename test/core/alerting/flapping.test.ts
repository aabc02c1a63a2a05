import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dampingOf, type FlapRule, steadyAt } from '../../../src/core/alerting/flapping.ts'
import { randomFrom } from '../../support/history/checks.ts'

const MINUTE_MS = 60_000
const RULE: FlapRule = { changes: 3, minutes: 10 }
const at = (minute: number) => new Date(minute * MINUTE_MS)

/** Says by counting every minute what is told of changes, and when; the rule is null while it is off. */
function naively(changes: Set<number>, ruleAt: (minute: number) => FlapRule | null, until: number): string[] {
  const said: string[] = []
  let flapping = false
  let steady = Number.NEGATIVE_INFINITY
  for (let minute = 0; minute <= until; minute++) {
    const rule = ruleAt(minute)
    if (flapping) {
      let quiet = 0
      while (minute - quiet >= 0 && !changes.has(minute - quiet)) quiet++
      // That the rule was turned off is seen before a change of the same minute.
      if (rule === null || quiet >= rule.minutes) {
        flapping = false
        steady = rule === null ? minute - 1 : minute
        said.push(`${minute} steady`)
      }
    }
    if (!changes.has(minute)) continue
    let count = 0
    for (let back = 0; rule !== null && back < rule.minutes; back++)
      if (minute - back > steady && changes.has(minute - back)) count++
    if (flapping) continue
    if (rule !== null && count > rule.changes) {
      flapping = true
      said.push(`${minute} flapping`)
    } else said.push(`${minute} told`)
  }
  return said
}

/** The same by the rule, as recorder and queue ask it: at each change, and when a flap is due. */
function byRule(changes: number[], ruleAt: (minute: number) => FlapRule | null, until: number): string[] {
  const said: string[] = []
  let isFlapping = false
  let endedAt: Date | null = null
  const seen: number[] = []
  for (let minute = 0; minute <= until; minute++) {
    const rule = ruleAt(minute)
    const isChange = changes.includes(minute)
    const lastChange = seen.at(-1)
    if (isFlapping && lastChange !== undefined && (rule === null || !isChange)) {
      const dueAt = steadyAt(rule, at(lastChange))
      if (dueAt === null || dueAt <= at(minute)) {
        isFlapping = false
        endedAt = at(dueAt === null ? minute - 1 : minute)
        said.push(`${minute} steady`)
      }
    }
    if (!isChange) continue
    seen.push(minute)
    const damping = dampingOf(rule, { isFlapping, endedAt, changes: seen.map(at) }, at(minute))
    if (damping === 'tell') said.push(`${minute} told`)
    if (damping === 'begin') {
      isFlapping = true
      said.push(`${minute} flapping`)
    }
  }
  return said
}

describe('what flaps', () => {
  it('is told for the change that is one too many, and for none after it', () => {
    const changes = [at(1), at(2), at(3), at(4)]
    const standing = { isFlapping: false, endedAt: null, changes }
    assert.equal(dampingOf(RULE, standing, at(4)), 'begin')
    assert.equal(dampingOf(RULE, { ...standing, changes: changes.slice(1) }, at(4)), 'tell')
    assert.equal(dampingOf(RULE, { ...standing, isFlapping: true }, at(5)), 'wait')
    assert.equal(dampingOf(null, { ...standing, isFlapping: true }, at(5)), 'tell')
  })

  it('forgets changes that are as old as the minutes, and those from before it was steady', () => {
    const standing = { isFlapping: false, endedAt: null, changes: [at(1), at(5), at(8), at(11)] }
    assert.equal(dampingOf(RULE, standing, at(11)), 'tell')
    const within = [at(2), at(5), at(8), at(11)]
    assert.equal(dampingOf(RULE, { ...standing, changes: within }, at(11)), 'begin')
    assert.equal(dampingOf(RULE, { ...standing, changes: within, endedAt: at(2) }, at(11)), 'tell')
  })

  it('is steady when it did not change for the minutes, and at once without a rule', () => {
    assert.deepEqual(steadyAt(RULE, at(7)), at(17))
    assert.equal(steadyAt(null, at(7)), null)
  })

  it('is what counting every minute says, for random changes and settings', () => {
    const kinds = { told: 0, flapping: 0, steady: 0 }
    for (let seed = 1; seed <= 2_000; seed++) {
      const random = randomFrom(seed)
      const below = (bound: number) => Math.floor(random() * bound)
      const rules: (FlapRule | null)[] = Array.from({ length: 4 }, () =>
        below(4) === 0 ? null : { changes: 2 + below(4), minutes: 2 + below(20) },
      )
      const ruleAt = (minute: number) => rules[Math.floor(minute / 40)] ?? null
      const density = 1 + below(12)
      const changes = Array.from({ length: 160 }, (_, minute) => minute).filter(() => below(density) === 0)
      const told = byRule(changes, ruleAt, 200)
      assert.deepEqual(told, naively(new Set(changes), ruleAt, 200), `seed ${seed}`)
      for (const line of told) kinds[line.split(' ')[1] as keyof typeof kinds]++
    }
    for (const [kind, count] of Object.entries(kinds)) assert.ok(count > 200, `${kind}: ${count}`)
  })
})
