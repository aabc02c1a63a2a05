import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { createLoopWatch } from '../../../src/net/loop-watch.ts'
import { check, testNetwork } from '../servers/targets-settings.ts'

/** A process that is told what to check, all at once, and can be stopped meanwhile: it prints what it found. */
const checks = JSON.parse(process.argv[2] ?? '') as Partial<ProbeSettings>[]

const network = { ...testNetwork(), loop: createLoopWatch(() => performance.now()) }
const results = await Promise.all(
  checks.map(({ type = 'http', ...settings }) => check(type, settings, { network })),
)
process.stdout.write(JSON.stringify(results.map(({ status, errorMessage }) => [status, errorMessage])))
