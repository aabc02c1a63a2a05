// `npm run hostile`: injects faults into the service and judges how it coped. Arguments: see --help.
import { runProgram } from './program.mjs'

const isOwn = process.argv.includes('--own-trouble')
await runProgram(isOwn ? 'test/hostile/own-trouble/command.ts' : 'test/hostile/command.ts', { withDev: true })
