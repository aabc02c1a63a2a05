// `npm run test:stress`: the tests under load. Arguments: see --help.
import { runProgram } from './program.mjs'

await runProgram('test/stress/command.ts', { withDev: true, withDashboard: true })
