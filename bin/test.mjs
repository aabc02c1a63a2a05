// `npm test`, `npm run test:long` and `npm run test:programs`. Arguments: see test/runner/command.ts.
import { runProgram } from './program.mjs'

await runProgram('test/runner/command.ts', { withDev: true, withDashboard: true })
