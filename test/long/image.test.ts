// npm test leaves this out: it carries out the Dockerfile step by step, with its builds, and starts what it makes (a minute).
import assert from 'node:assert/strict'
import { describeImage } from '../support/documents/image.ts'

// With its first process: test/programs/tini.test.ts.
describeImage('what the Dockerfile makes', ([init, separator, ...command]) => {
  assert.deepEqual([init, separator], ['tini', '--'])
  return command
})
