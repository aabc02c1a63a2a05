// `npm run hostile`: breaks the service in every way and judges what it did. Arguments: see --help.
import { runProgram } from './program.mjs'

await runProgram('test/hostile/command.ts', { withDev: true })
