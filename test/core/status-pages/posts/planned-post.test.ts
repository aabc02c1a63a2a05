import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageLanguage } from '../../../../src/core/language/page-languages.ts'
import { followPlan, type PlannedPost } from '../../../../src/core/status-pages/posts/planned-post.ts'

const at = (hour: number) => new Date(Date.UTC(2027, 2, 10, 0, hour * 60))
const IMPACTS = [{ component_id: 1, state: 'maintenance' as const }]

function post(changes: Partial<PlannedPost> = {}, saidAt = 8): PlannedPost {
  const [scheduledFor, scheduledUntil] = [at(12), at(14)]
  const latest = { at: at(saidAt), impacts: IMPACTS }
  return { phase: 'scheduled', isDraft: false, scheduledFor, scheduledUntil, latest, ...changes }
}
const begun = (saidAt = 12) => post({ phase: 'in_progress' }, saidAt)
const of = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to), occurrenceAt: at(from) })

/** `phase hour told|quiet`, and the times where they change. */
const CASES: [string, PlannedPost, ReturnType<typeof of> | null | undefined, now: number, ...string[]][] = [
  ['waits for its start', post(), undefined, 11.99],
  ['begins', post(), undefined, 12.001, 'in_progress 12 told'],
  ['goes on until its end', begun(), undefined, 13.99],
  ['ends', begun(), undefined, 14.001, 'completed 14 told'],
  ['is told over alone after a pause', post(), undefined, 15, 'in_progress 12 quiet', 'completed 14 told'],
  ['is old news after a day', post(), undefined, 39, 'in_progress 12 quiet', 'completed 14 quiet'],
  ['says nothing before what was said', post({}, 13), undefined, 13.5, 'in_progress 13 told'],
  ['is left to who verifies', post({ phase: 'verifying' }), undefined, 15],
  ['is left to who says that it goes on', begun(14.5), undefined, 15],
  ['begins with its occurrence', post(), of(12, 14), 12.001, 'in_progress 12 told'],
  ['moves with its occurrence', post(), of(20, 21), 11, 'from 20', 'until 21', 'scheduled 11 told'],
  ['moves to now', post(), of(10, 14), 11, 'from 10', 'in_progress 10 told'],
  ['is prolonged', begun(), of(12, 16), 13, 'until 16', 'in_progress 13 told'],
  ['ends early', begun(), of(12, 13), 13.001, 'until 13', 'completed 13 told'],
  ['keeps the start that was told', begun(), of(12.5, 14), 13],
  ['is called off', post(), null, 11, 'completed 11 told'],
  ['ends with its window', begun(), null, 13, 'completed 13 told'],
  ['moves as a draft, in silence', post({ isDraft: true }), of(13, 15), 14, 'from 13', 'until 15'],
  ['stays a draft', post({ isDraft: true }), null, 14],
]

describe('a post about planned maintenance', () => {
  for (const [name, planned, occurrence, now, ...expected] of CASES) {
    it(name, () => {
      const step = followPlan(planned, occurrence, 'en', at(now))
      const hour = (time: Date) => (time.getTime() - at(0).getTime()) / 3_600_000
      assert.deepEqual(
        [
          ...(step.scheduledFor ? [`from ${hour(step.scheduledFor)}`] : []),
          ...(step.scheduledUntil ? [`until ${hour(step.scheduledUntil)}`] : []),
          ...step.updates.map((one) => `${one.phase} ${hour(one.at)} ${one.notifies ? 'told' : 'quiet'}`),
        ],
        expected,
      )
      for (const one of step.updates) {
        assert.deepEqual(one.impacts, one.phase === 'completed' ? [] : IMPACTS)
      }
    })
  }

  it('speaks the language of the page, with times that are the same in each', () => {
    const said = PageLanguage.options.map((language) => {
      const { updates } = followPlan(begun(), of(12, 16), language, at(13))
      const body = updates[0]?.body ?? ''
      assert.ok(body.includes('2027-03-10 16:00 UTC'), body)
      return body
    })
    assert.equal(new Set(said).size, PageLanguage.options.length)
  })
})
