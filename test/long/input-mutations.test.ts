// npm test leaves this out: it reads 20,000 mutations of each standard input (seconds of a core).
import { describe, it } from 'node:test'
import { INPUTS, readMutations } from '../support/inputs/mutations.ts'

const MUTATIONS = 20_000

describe('readers of standard inputs never throw, and stay within bounds', () => {
  for (const [name, body, read] of INPUTS) {
    it(`on ${MUTATIONS} mutations of ${name}`, () => {
      readMutations(body, read, MUTATIONS)
    })
  }
})
