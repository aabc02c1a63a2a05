import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgePatch, judgeServer, serverDraft } from '../../../dashboard/forms/servers/server-fields.ts'
import { saySilence, sayThreshold } from '../../../dashboard/forms/servers/threshold-words.ts'
import { DEFAULT_THRESHOLDS, type LevelKind } from '../../../src/core/servers/condition.ts'
import { keysOf } from '../../../src/core/shape.ts'

describe('the words of a threshold', () => {
  const cases: [kind: LevelKind, levels: [string, string, string], said: string][] = [
    [
      'disk_space',
      ['90', '85', '10'],
      'Begins when a file system is 90 % full or more for 10 min; ends at 85 % or less for as long.',
    ],
    [
      'memory',
      ['10', '15', '0'],
      'Begins when 10 % of the memory or less is available; ends at 15 % or more.',
    ],
    [
      'failed_units',
      ['1', '0', '90'],
      'Begins when systemd has 1 failed unit or more for 1 h 30 min; ends once none has failed for as long.',
    ],
    [
      'container_restarts',
      ['3', '0', '0'],
      'Begins when a container was restarted 3 times or more within an hour; ends after an hour without one.',
    ],
    ['load', ['', '1.5', 'x'], 'Begins when the load is … per CPU or more; ends at 1.5 or less.'],
  ]
  for (const [kind, [enter, leave, minutes], said] of cases) {
    it(`say of ${kind}: ${said}`, () => assert.equal(sayThreshold(kind, { enter, leave, minutes }), said))
  }

  it('say of silence when it begins', () => {
    assert.equal(saySilence('180'), 'Begins 3 min after the last report; ends with the next one.')
    assert.equal(saySilence('soon'), 'Begins … after the last report; ends with the next one.')
  })
})

describe('the form of a server', () => {
  const plain = serverDraft({ name: 'Web', contact_ids: [7, 3] })

  it('sends of the thresholds whole conditions that differ from the defaults, with fractions', () => {
    const judged = judgeServer({ ...plain, 'thresholds.load.is_on': true, 'thresholds.load.leave': '1,25' })
    assert.deepEqual(judged, {
      ok: true,
      value: {
        name: 'Web',
        is_active: true,
        contact_ids: [3, 7],
        thresholds: { load: { ...DEFAULT_THRESHOLDS.load, is_on: true, leave: 1.25 } },
      },
    })
  })

  it('of one that exists sends what was changed, and no thresholds once all are the defaults again', () => {
    const before = serverDraft({
      name: 'Web',
      thresholds: { cpu: { ...DEFAULT_THRESHOLDS.cpu, is_on: true } },
    })
    assert.deepEqual(judgePatch(before, { ...before, name: 'Web 2' }), { ok: true, value: { name: 'Web 2' } })
    const reset = { ...before, 'thresholds.cpu.is_on': false }
    assert.deepEqual(judgePatch(before, reset), { ok: true, value: { thresholds: {} } })
  })

  it('says faults in the words of its table', () => {
    const faults = (change: Record<string, string>) => {
      const judged = judgeServer({ ...plain, ...change })
      return judged.ok ? {} : judged.errors
    }
    assert.deepEqual(faults({ 'thresholds.cpu.enter': '120' }), {
      'thresholds.cpu.enter': ['CPU, “From”: must be at most 100, not 120'],
    })
    assert.deepEqual(faults({ 'thresholds.load.enter': 'much', 'thresholds.load.minutes': '1.5' }), {
      'thresholds.load.enter': ['Load, “From”: must be a number, not "much"'],
      'thresholds.load.minutes': ['Load, “Minutes”: must be a whole number, not "1.5"'],
    })
    const names = 'thresholds.container.names'
    const isOn = { 'thresholds.container.is_on': true } as never
    assert.deepEqual(faults(isOn), {
      [names]: ['Container, “Names”: must have a name while the condition is on'],
    })
    assert.deepEqual(faults({ [names]: 'web, a b, db' }), {
      [names]: ['Container, “Names”: must be a name of letters, digits and . _ - @ : \\, not "a b"'],
    })
    assert.deepEqual(faults({ [names]: 'web, web' }), {
      [names]: ['Container, “Names”: must not name web twice'],
    })
    assert.deepEqual(faults({ 'thresholds.memory.leave': '5' }), {
      'thresholds.memory.leave': ['Memory, “Until”: must be at least 10, at which it begins, not 5'],
    })
  })

  it('has a line for every condition', () => {
    for (const kind of keysOf(DEFAULT_THRESHOLDS)) {
      for (const [level, value] of Object.entries(DEFAULT_THRESHOLDS[kind])) {
        const held = plain[`thresholds.${kind}.${level}`]
        assert.equal(String(held), String(value), `${kind}.${level}`)
      }
    }
  })
})
