// `npm test`, `npm run test:long` and `npm run test:programs`. Arguments: see test/runner/command.ts.
import { runProgram } from './program.mjs'

// The longer tests start services by the hundred. From a release each start takes half of the processor time, and it is what
// people run; to make one for a single file is not worth it.
const withRelease = process.argv.includes('--long')
await runProgram('test/runner/command.ts', { withDev: true, withDashboard: true, withRelease })
