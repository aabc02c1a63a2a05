import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge, type Rule } from './judge.ts'
import type { Evidence, RecordedCheck } from './logs.ts'

/** A fault of the service, and the names that the judge gives it. */
export type Wrong = [string, (run: Evidence) => void, Rule[]]
/** Evidence that is allowed, and why. */
export type Excused = [string, (run: Evidence) => void]

/** The judge finds each wrong, by its names alone, and nothing in a clean run or in what is excused. */
export function judgeSuite(
  name: string,
  cleanRun: () => Evidence,
  { wrongs, excused }: { wrongs: Wrong[]; excused: Excused[] },
): void {
  describe(name, () => {
    it('finds nothing in a run that was clean', () => {
      assert.deepEqual(judge(cleanRun()), [])
    })

    for (const [what, spoil, rules] of wrongs) {
      it(`finds that ${what}`, () => {
        const run = cleanRun()
        spoil(run)
        assert.deepEqual([...new Set(judge(run).map(({ rule }) => rule))], rules)
      })
    }

    for (const [what, change] of excused) {
      it(`does not mind that ${what}`, () => {
        const run = cleanRun()
        change(run)
        assert.deepEqual(judge(run), [])
      })
    }
  })
}

/** A check that was on record 500 ms after its beginning. */
export function recordedCheck<Status extends string>(
  monitor: number,
  atMs: number,
  status: Status,
): RecordedCheck & { status: Status } {
  return { monitor, atMs, status, region: 'lon', committedMs: atMs + 500 }
}

/** Evidence of nothing, in which a minute went by. */
export const NOTHING_HAPPENED: Evidence = {
  intervalMs: 1_000,
  takeoverMs: 10_000,
  longestCheckMs: 7_000,
  slackMs: 1_000,
  fromMs: 0,
  toMs: 60_000,
  outages: [],
  answers: [],
  checks: [],
  recorded: [],
  phases: [],
  takeovers: [],
  incidents: [],
  deliveries: [],
  escalations: { isOn: false, incidents: [], received: [], unable: [] },
  received: [],
  blind: [],
  unreachable: [],
  unheard: [],
  pings: [],
  jobs: { monitors: [], intervalMs: 6_000 },
  reports: { servers: [], sent: [], kept: [] },
  sites: { numbers: [], answers: [], crawls: [], warnings: [] },
  blindToSites: [],
  applied: [],
  changes: [],
  promised: [],
  faults: [],
  standstills: [],
}
