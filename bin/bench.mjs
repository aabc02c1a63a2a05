// `npm run bench`: measures on this machine and prints one table. Arguments: see bench/support/options.ts, or --help.
import { runProgram } from './program.mjs'

await runProgram('bench/run.ts', { withDev: false, withDashboard: true })
