import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delays } from '../../../src/cli/client/delays.ts'
import type { Deployment } from '../../../src/cli/deployment.ts'
import type { Terminal } from '../../../src/cli/output.ts'
import { runCommand } from '../../../src/cli/program.ts'
import type { Services } from '../../../src/operations/services.ts'
import { createDeployment } from '../../../src/roles/deployment.ts'
import type { Ran } from './command.ts'

/** The surroundings of one command; without `answers` no terminal is attached. */
type Around = {
  input?: string
  files?: Record<string, string>
  answers?: string[]
  variables?: Record<string, string>
  environment?: { url?: string; token?: string }
  width?: number
  /** Runs instead of each pause of a waiting command; `giveUp` ends its patience. */
  pausing?: (giveUp: () => void) => Promise<void> | void
  delays?: Delays
}

/** A person (or a script) with settings of their own, who runs commands in this very process. */
export type Commander = {
  configHome: string
  run(args: string[], around?: Around): Promise<Ran>
  close(): void
}

/** The machine that the commands of one run work on. */
type Machine = (
  around: Around,
  configHome: string,
  terminal: Terminal,
  unused: () => Promise<never>,
) => Deployment

/** `services` stands for the service of the person's own machine, where there is one. */
export function commander(services: Services | null = null): Commander {
  return commandsOn(({ variables = {}, environment = {}, ...around }, configHome, _terminal, unused) => ({
    serve: unused,
    migrate: unused,
    diagnose: unused,
    tidy: unused,
    backup: unused,
    exportStatusPages: unused,
    restore: unused,
    moveDatabase: unused,
    withServices: (work) => work(services ?? assert.fail('there is no service on this machine')),
    remote: () => ({ url: environment.url ?? null, token: environment.token ?? null, configHome }),
    variable: (name) => variables[name],
    delays: around.delays ?? delaysOf(around),
    version: () => '',
  }))
}

/**
 * An operator on the machine of a service, with its settings: each command opens the database by itself, as
 * a process would, for a tenth of the time. Files are those of `folder`.
 */
export function operatorAt(env: Record<string, string>, folder = ''): Commander {
  return commandsOn(
    ({ variables = {}, environment: { url = '', token = '' } = {} }, configHome, terminal, unused) => {
      const asked = { UPBEAT_URL: url, UPBEAT_TOKEN: token, XDG_CONFIG_HOME: configHome }
      const deployment = createDeployment(unused, terminal.err, { ...env, ...asked, ...variables })
      const { backup, restore } = deployment
      return {
        ...deployment,
        backup: (file) => backup(join(folder, file)),
        restore: (file) => restore(join(folder, file)),
      }
    },
  )
}

function commandsOn(machine: Machine): Commander {
  const configHome = mkdtempSync(join(tmpdir(), 'upbeat-person-'))

  async function run(args: string[], around: Around = {}): Promise<Ran> {
    const said = { out: '', err: '' }
    const { answers = [], files = {} } = around
    const unused = async () => assert.fail(`${args.join(' ')} must not get that far`)
    const answer = async (question: string) => {
      said.err += `${question}\n`
      return answers.shift() ?? null
    }
    const terminal: Terminal = {
      out: (text) => (said.out += `${text}\n`),
      err: (text) => (said.err += `${text}\n`),
      readInput: async () => around.input ?? null,
      readFile: async (path) => files[path] ?? around.input ?? assert.fail(`there is no file ${path}`),
      ask: answer,
      askSecret: answer,
      width: around.width ?? null,
      color: false,
    }
    const status = await runCommand(args, machine(around, configHome, terminal, unused), terminal)
    return {
      status,
      ...said,
      get data() {
        return JSON.parse(said.out).data
      },
    }
  }

  return { configHome, run, close: () => rmSync(configHome, { recursive: true, force: true }) }
}

/** Delays that no time ends. */
function delaysOf({ pausing = () => assert.fail('there is nothing to wait for') }: Around): Delays {
  const over = new AbortController()
  return {
    within: () => over.signal,
    async pause(_ms, signal) {
      await pausing(() => over.abort())
      signal.throwIfAborted()
    },
  }
}
