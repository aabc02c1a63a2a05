// `npm run pictures`: takes the pictures of the README and of the documentation anew. It needs the browser of the tests.
import { runProgram } from './program.mjs'

await runProgram('test/pictures/command.ts', { withDev: true, withDashboard: true })
