// `npm test`: everything, in order, ending at the first failure. Test files as arguments run only those.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { nodeFlags, pinnedNode, runtimeEnvironment } from './runtime.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** These start whole services: each file in a process of its own, and few at a time. */
const PROCESS_LEVEL = /^test\/(service|crash)\//
const PROCESS_LEVEL_CONCURRENCY = 2

const began = Date.now()
await ensureInstalled(root, { withDev: true })
for (const { name, args } of stepsFor(process.argv.slice(2))) {
  console.log(`\n== ${name}`)
  const code = await run(args)
  if (code !== 0) {
    console.log(`\n${name}: failed after ${seconds()} s`)
    process.exit(code)
  }
}
console.log(`\nEverything passed in ${seconds()} s`)

function stepsFor(given) {
  const options = given.filter((argument) => argument.startsWith('-'))
  const named = given.filter((argument) => !argument.startsWith('-')).map((file) => normalize(file))
  const files = named.length > 0 ? named : findTests()
  const together = files.filter((file) => !PROCESS_LEVEL.test(file))
  const apart = files.filter((file) => PROCESS_LEVEL.test(file))
  const checks = [
    { name: 'type check', args: ['node_modules/typescript/bin/tsc'] },
    { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check'] },
  ]
  const test = ['--test', '--test-reporter=spec', ...options]
  const tests = [
    { name: 'tests', args: [...test, '--test-isolation=none', ...together], files: together },
    {
      name: 'tests of whole services',
      args: [...test, `--test-concurrency=${PROCESS_LEVEL_CONCURRENCY}`, ...apart],
      files: apart,
    },
  ].filter((step) => step.files.length > 0)
  return given.length > 0 ? tests : [...checks, ...tests]
}

function findTests() {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
}

/** Resolves with the exit code. A Ctrl-C reaches the child by itself, other signals through us. */
function run(args) {
  return new Promise((resolve) => {
    const child = spawn(pinnedNode(root), [...nodeFlags, ...args], {
      cwd: root,
      env: runtimeEnvironment(root),
      stdio: 'inherit',
    })
    const forward = (signal) => child.kill(signal)
    process.on('SIGTERM', forward).on('SIGHUP', forward)
    child.on('error', (error) => {
      console.log(error.message)
      resolve(1)
    })
    child.on('exit', (code) => {
      process.off('SIGTERM', forward).off('SIGHUP', forward)
      resolve(code ?? 1)
    })
  })
}

function seconds() {
  return Math.round((Date.now() - began) / 1_000)
}
