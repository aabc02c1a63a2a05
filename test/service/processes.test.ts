import { describe, test } from 'node:test'
import { describeCertificates } from './processes/certificates.ts'
import { describeConfirmation } from './processes/confirmation.ts'
import { describeDatabaseTrouble } from './processes/database.ts'
import { describeGivenUpStarts } from './processes/given-up-starts.ts'
import { assertHostilityDoesNoHarm } from './processes/hostile.ts'
import { assertLetterSurvives } from './processes/letters.ts'
import { describeOwnTrouble } from './processes/own-trouble.ts'
import { describeRefusedStarts } from './processes/refused-starts.ts'
import { assertReportsSurvive } from './processes/reports.ts'
import { describeRestart } from './processes/restart.ts'

/*
 * Each has processes and a database of its own, and mostly waits: for leases that lapse, and for what comes back. So
 * they wait side by side, the longest first; more at once would only starve each other. More crashes, and those of
 * publications, are in test/long.
 */
describe('services as processes', { concurrency: 4 }, () => {
  test('lose and double no incident and no alert while they are killed and frozen', assertHostilityDoesNoHarm)
  describeConfirmation()
  describeRestart()
  describeDatabaseTrouble()
  describeOwnTrouble()
  describeCertificates()
  describeRefusedStarts()
  describeGivenUpStarts()
  test('send a letter once though they are killed while it waits', assertLetterSurvives)
  test('keep each report of a server once though they are killed meanwhile', (t) =>
    assertReportsSurvive(t, 1))
})
