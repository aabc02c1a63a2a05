// npm test leaves this out: it reads 100,000 mutated reports (seconds of a core).
import { it } from 'node:test'
import { tryMutatedReports } from '../support/servers/mutated-reports.ts'

it('reads 100,000 mutated reports, and makes no figure of them that cannot be', () => {
  tryMutatedReports(100_000, 2)
})
