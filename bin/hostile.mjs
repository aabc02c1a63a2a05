// `npm run hostile`: breaks the service in every way and judges what it did. Arguments: see --help.
import { runProgram } from './program.mjs'

const isOwn = process.argv.includes('--own-trouble')
await runProgram(isOwn ? 'test/hostile/own-trouble/command.ts' : 'test/hostile/command.ts', { withDev: true })
