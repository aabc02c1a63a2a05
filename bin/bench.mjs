// `npm run bench`: measures the release on this machine and prints one table. Arguments: see bench/support/options.ts, or
// --help. The simulation puts probes of its own among the sources, so it runs those.
import { runProgram } from './program.mjs'

const withRelease = !process.argv.some((argument) => argument.includes('simulation'))
await runProgram('bench/run.ts', { withDev: false, withDashboard: true, withRelease })
