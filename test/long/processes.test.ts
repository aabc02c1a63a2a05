// npm test leaves this out: it kills, freezes and starves services side by side (minutes).
import { describe, test } from 'node:test'
import { describeCertificates } from '../service/processes/certificates.ts'
import { describeConfirmation } from '../service/processes/confirmation.ts'
import { describeDatabaseTrouble } from '../service/processes/database.ts'
import { describeGivenUpStarts } from '../service/processes/given-up-starts.ts'
import { assertHostilityDoesNoHarm } from '../service/processes/hostile.ts'
import { assertReportsSurvive } from '../service/processes/reports.ts'

/* The scenes of test/service that npm test has no time for, side by side as there. */
describe('services as processes, in more trouble', { concurrency: 4 }, () => {
  test('lose and double no incident and no alert while they are killed and frozen', assertHostilityDoesNoHarm)
  describeConfirmation()
  describeDatabaseTrouble()
  describeCertificates()
  describeGivenUpStarts()
  test('keep each report of a server once though they are killed meanwhile', (t) =>
    assertReportsSurvive(t, 1))
})
