// `npm run fuzz`: sends requests that are nearly right to every route of the service. Arguments: see --help.
import { runProgram } from './program.mjs'

await runProgram('test/fuzz/command.ts', { withDev: true, withDashboard: true })
