import { it } from 'node:test'
import { tryMutatedReports } from '../../support/servers/mutated-reports.ts'

it('reads whatever comes, and makes no figure of it that cannot be', () => {
  tryMutatedReports(600, 1)
})
