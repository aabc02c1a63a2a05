import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { showProgress } from './progress.ts'
import type { Report } from './reporter.ts'
import { type Run, runSteps } from './run.ts'
import { type Step, startStep, TEST_REPORTER } from './step.ts'
import { planSteps } from './steps.ts'

const ARGS = ['--disable-warning=ExperimentalWarning', '--test', '--test-isolation=none', ...TEST_REPORTER]

describe('a run of test steps', () => {
  it('has as many steps at once as there are lanes, in their order', async (t) => {
    const world = createWorld(t)
    const steps = [1, 2, 3].map((n) => world.script(`step ${n}`, waitingFor(`go ${n}`)))
    const run = world.run(steps, 2)
    await world.said('step 1 began')
    await world.said('step 2 began')
    assert.deepEqual(world.log().sort(), ['step 1 began', 'step 2 began'])
    world.say('go 2')
    await world.said('step 3 began')
    assert.ok(world.log().includes('step 2 ended'))
    world.say('go 1')
    world.say('go 3')
    assert.deepEqual(await run.failures, [])
  })

  it('shows a failure while others run, and again at the end with the command that runs it alone', async (t) => {
    const world = createWorld(t)
    const failing = world.tests(
      'failing',
      `import { describe, it } from 'node:test'
       describe('a shop', () => {
         it('opens', () => {})
         it('closes', () => { throw new Error('the door is stuck') })
       })`,
    )
    const run = world.run([failing, world.script('slow', waitingFor('go'))], 2)
    await until('the failure to be shown', () => world.shown().includes('the door is stuck'))
    assert.doesNotMatch(world.shown(), /slow/)
    world.say('go')
    const failures = await run.failures
    assert.deepEqual(
      failures.map(({ where, runAlone }) => [where, runAlone]),
      [['failing.ts:4  a shop > closes', 'npm test -- failing.ts']],
    )
    world.progress.finished(failures)
    const [, last = ''] = world.shown().split('✔ slow')
    assert.match(
      last,
      /The files that took the longest: failing\.ts \d+ s\nThe most processor time: failing\.ts \d+ s\n/,
    )
    assert.match(last, /failing\.ts:4 {2}a shop > closes\n {2}Error: the door is stuck\n/)
    assert.match(last, /Run it alone: npm test -- failing\.ts\n\n1 failed: 2 tests, 2 steps at a time/)
  })

  it('runs what another file tries by the file whose suite it is in', async (t) => {
    const world = createWorld(t)
    world.tests(
      'scene',
      `import { it } from 'node:test'
       export const describeScene = () => it('closes', () => { throw new Error('the door is stuck') })`,
    )
    const failing = world.tests(
      'failing',
      `import { describe } from 'node:test'
       import { describeScene } from './scene.ts'
       describe('a shop', describeScene)`,
    )
    assert.deepEqual(
      (await world.run([failing], 1).failures).map(({ where, runAlone }) => [where, runAlone]),
      [['scene.ts:2  a shop > closes', 'npm test -- failing.ts']],
    )
  })

  it('gives a step what it needs besides the environment of the run', async (t) => {
    const world = createWorld(t)
    const step = world.script('one', 'say(process.env.ONLY_HERE); say(String("PATH" in process.env))')
    await world.run(
      [{ ...step, environment: { ONLY_HERE: '200' } }, world.script('next', 'say(process.env.ONLY_HERE)')],
      1,
    ).failures
    assert.deepEqual(
      world.log().filter((line) => !/began|ended/.test(line)),
      ['200', 'true', 'undefined'],
    )
  })

  it('fails with a step that names no test', async (t) => {
    const world = createWorld(t)
    const steps = [
      world.script('crashing', 'console.error("out of luck"); process.exit(3)'),
      world.tests('empty', ''),
    ]
    const failures = await world.run(steps, 1).failures
    assert.deepEqual(
      failures.map(({ where, error }) => [where, error.trim()]),
      [
        ['crashing', 'out of luck\nIt ended with exit code 3.'],
        ['empty', 'It ran no test.'],
      ],
    )
  })

  it('tells of an error that came after its test had passed', async (t) => {
    const world = createWorld(t)
    const late = world.tests(
      'late',
      `import { it } from 'node:test'
       const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
       it('passes', () => { setImmediate(() => { throw new Error('the door is stuck') }) })
       it('waits for it', () => thrown)`,
    )
    const [failure] = await world.run([late], 1).failures
    assert.match(failure?.error ?? '', /"passes" at late\.ts:3:\d+ .*the door is stuck.*exit code 1\.$/s)
  })

  it('fails whatever waits for a time that is none', async (t) => {
    const world = createWorld(t)
    const { steps } = planSteps(['timers.ts'], [], [])
    const [step] = steps as [Step]
    const waiting = world.tests('timers', WAITS_WRONGLY)
    const loaded = step.args.filter((arg) => arg.startsWith('--import='))
    const failures = await world.run([{ ...waiting, args: [...loaded, ...waiting.args] }], 1).failures
    assert.equal(loaded.length, 1)
    assert.match(failures.map(({ error }) => error).join(), /TimeoutNegativeWarning/)
  })

  it('ends what a step has started and left behind', async (t) => {
    const world = createWorld(t)
    const failures = await world.run([world.script('leaving', `${startService}; process.exit(0)`)], 1)
      .failures
    assert.deepEqual(failures, [])
    assert.equal(isAlive(world.servicePid()), false)
  })

  it('ends what a step has left behind with its output open', async (t) => {
    const world = createWorld(t)
    const inheriting = startService.replace("'ignore'", "'inherit'")
    const failures = await world.run([world.script('leaving', `${inheriting}; process.exit(0)`)], 1).failures
    assert.deepEqual(failures, [])
    assert.equal(isAlive(world.servicePid()), false)
  })

  it('ends a step that says nothing for too long', async (t) => {
    const world = createWorld(t)
    const failures = await world.run([world.script('hanging', 'setInterval(() => {}, 1e6)')], 1, 1).failures
    assert.deepEqual(failures, [
      {
        where: 'hanging',
        error: 'It said nothing for so long that it was ended. Under way: no test',
        runAlone: '',
      },
    ])
  })

  it('knows which tests were under way when a step was given up', async (t) => {
    const world = createWorld(t)
    const hanging = world.tests(
      'hanging',
      `import { describe, it } from 'node:test'
       describe('a shop', () => {
         it('opens', () => {})
         it('closes', () => new Promise(() => setInterval(() => {}, 1e6)))
       })`,
    )
    const begun: string[] = []
    const onReport = (report: Report) => void (report.kind === 'began' && begun.push(report.name))
    const running = startStep(hanging, {
      root: world.folder,
      environment: process.env,
      isClose: false,
      silenceMs: null,
      onReport,
    })
    t.after(running.stop)
    await until('the last test to begin', () => begun.includes('closes'))
    await running.giveUp()
    const { hung } = await running.ended
    assert.deepEqual(
      hung?.map(({ line, name }) => [line, name]),
      [
        [2, 'a shop'],
        [4, 'closes'],
      ],
    )
  })

  it('ends all that it has started when it is stopped', async (t) => {
    const world = createWorld(t)
    const run = world.run([world.script('serving', startService), world.script('next', '')], 1)
    await world.said('service began')
    await run.stop()
    assert.equal(isAlive(world.servicePid()), false)
    await run.failures
    assert.ok(!world.log().includes('next began'))
  })

  it('takes tests and their services with it when it is killed', async (t) => {
    const world = createWorld(t)
    const serving = world.tests(
      'serving',
      `import { test } from 'node:test'
       ${header(world.folder)}
       test('it serves', () => new Promise(() => { ${startService}; setInterval(() => {}, 1e6) }))`,
    )
    const runner = `
      import { runSteps } from ${JSON.stringify(join(import.meta.dirname, 'run.ts'))}
      const ignore = () => {}
      const progress = { began: ignore, tested: ignore, failed: ignore, took: ignore, ended: ignore, finished: ignore }
      const step = ${JSON.stringify(serving)}
      runSteps([step], { root: ${JSON.stringify(world.folder)}, environment: process.env, lanes: 1, isClose: false, silenceMs: null, progress })`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', runner])
    t.after(() => child.kill('SIGKILL'))
    await world.said('service began')
    child.kill('SIGKILL')
    await until('the service to end', () => !isAlive(world.servicePid()))
  })
})

const WAITS_WRONGLY = `
  import { test } from 'node:test'
  test('it waits', () => new Promise((resolve) => setTimeout(resolve, -1)))`

type World = ReturnType<typeof createWorld>

/** A folder in which steps log what they do, and a run of them whose screen is read. */
function createWorld(t: TestContext) {
  const folder = temporaryFolder(t)
  const logFile = join(folder, 'log')
  let shown = ''
  const progress = showProgress({ write: (text) => (shown += text) }, [], 2)
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').trim().split('\n') : [])
  return {
    folder,
    progress,
    log,
    shown: () => shown,
    say: (line: string) => appendFileSync(logFile, `${line}\n`),
    said: (line: string) => until(line, () => log().includes(line)),
    servicePid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')),
    script(name: string, text: string): Step {
      const code = `${header(folder)}\nsay('${name} began')\n${text}`
      return { name, args: ['--input-type=module', '-e', code], files: [], runAlone: '' }
    },
    tests(name: string, text: string): Step {
      const file = join(folder, `${name}.ts`)
      writeFileSync(file, text)
      return { name, args: [...ARGS, file], files: [file], runAlone: '' }
    },
    run(steps: Step[], lanes: number, silenceMs: number | null = null): Run {
      const environment = process.env
      const settings = { root: folder, environment, lanes, isClose: false, silenceMs, progress }
      const run = runSteps(steps, settings)
      t.after(() => run.stop())
      return run
    },
  }
}

/** The first lines of every step's script. */
function header(folder: World['folder']): string {
  return `
    import fs from 'node:fs'
    import { spawn } from 'node:child_process'
    const folder = ${JSON.stringify(folder)}
    const log = folder + '/log'
    const say = (line) => fs.appendFileSync(log, line + '\\n')`
}

/** Ends the script once the log has such a line. */
function waitingFor(line: string): string {
  return `
    const timer = setInterval(() => {
      if (!fs.readFileSync(log, 'utf8').split('\\n').includes(${JSON.stringify(line)})) return
      clearInterval(timer)
      say(${JSON.stringify(line.replace('go', 'step'))} + ' ended')
    }, 20)`
}

const startService = `
  const service = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  fs.writeFileSync(folder + '/pid', String(service.pid))
  say('service began')`

/** Where there is no /proc, one that has ended counts until somebody asks how. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self') || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
