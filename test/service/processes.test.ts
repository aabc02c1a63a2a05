import { describe, test } from 'node:test'
import { assertFlapSurvives } from './processes/flaps.ts'
import { assertLetterSurvives } from './processes/letters.ts'
import { describeOwnTrouble } from './processes/own-trouble.ts'
import { describeRefusedStarts } from './processes/refused-starts.ts'
import { describeRestart } from './processes/restart.ts'

/*
 * Each has processes and a database of its own, and mostly waits: for leases that lapse, and for what comes back. So
 * they wait side by side, the longest first; more at once would only starve each other. The other scenes are in
 * test/long/processes.test.ts.
 */
describe('services as processes', { concurrency: 4 }, () => {
  describeRestart()
  describeOwnTrouble()
  describeRefusedStarts()
  test('send a letter once though they are killed while it waits', assertLetterSurvives)
  test(
    'tell that something is steady again, and end a diagnosis, though they are killed before',
    assertFlapSurvives,
  )
})
