import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readAgentReport } from '../../../src/core/servers/agent-report.ts'
import { withAddress } from '../../../src/core/servers/agent-script.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import type { Scope } from '../scope.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export const AGENT = readFileSync(join(import.meta.dirname, '../../../agent/upbeat-agent.sh'), 'utf8')
export const TOKEN = '3f0d8a44-3c5b-4a1f-9a44-6d2f0a7a9d11'

/** The agent needs these of a machine; of curl and wget, each test says which. */
const TOOLS =
  'cat chmod chown cut date df env getconf grep head id mkdir rm rmdir sed sh sha256sum sleep sort tail timeout tr uname'.split(
    ' ',
  )

/** Which programs a machine has beside those, by name; text is a script of the test's own. */
export type Programs = Record<string, { path: string } | { script: string }>

/** A user's home on a machine with few programs, without a crontab and with a service that takes its reports. */
export async function agentMachine(test: Pick<Scope, 'after'>, programs: Programs) {
  const service = await startService(test)
  const folder = temporaryFolder(test)
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')]
  for (const made of [home, bin]) mkdirSync(made)
  const script = withAddress('install', AGENT, service.address)
  const own: Programs = {
    // A user, whoever runs the tests, who starts nothing that outlives them.
    id: { script: 'echo 1000' },
    // Processes are compared within the time that this takes.
    sleep: { script: `exec ${find('sleep')} 0.1` },
    nohup: { script: 'exit 0' },
    ...programs,
  }
  for (const tool of TOOLS) if (!(tool in own)) symlinkSync(find(tool), join(bin, tool))
  for (const [name, program] of Object.entries(own)) {
    if ('path' in program) symlinkSync(program.path, join(bin, name))
    else writeFileSync(join(bin, name), `#!/bin/sh\n${program.script}\n`, { mode: 0o755 })
  }
  return {
    folder,
    home,
    service,
    script,
    installed: join(home, '.upbeat-agent/agent.sh'),
    files: () => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort(),
    /** Runs a shell with arguments; `input` is what it reads. */
    async run(shell: string[], args: string[], input = ''): Promise<{ status: number; output: string }> {
      const [program = 'sh', ...before] = shell
      const child = spawn(program, [...before, ...args], {
        env: { PATH: bin, HOME: home },
        timeout: HANG_GUARD_MS,
        stdio: 'pipe',
      })
      // A program that reads nothing may have ended before this is written.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const [out, err, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { status, output: out + err }
    },
  }
}

export type AgentMachine = Awaited<ReturnType<typeof agentMachine>>

/** The service, as far as an agent knows it. `answer` is what it answers reports with. */
async function startService(test: Pick<Scope, 'after'>) {
  const received: { text: string; type: string | undefined }[] = []
  const state = { address: '', received, answer: { status: 200, text: 'ok' } }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET' && request.url === `/server/${TOKEN}/install`) {
      response.end(withAddress('install', AGENT, state.address))
      return
    }
    const body = await text(request)
    const isReport = request.method === 'POST' && request.url === `/server/${TOKEN}`
    if (isReport) received.push({ text: body, type: request.headers['content-type'] })
    response.statusCode = isReport ? state.answer.status : 404
    response.end(state.answer.text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  test.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/server/${TOKEN}`
  return state
}

export function lastReport({ service }: AgentMachine) {
  const report = readAgentReport(service.received.at(-1)?.text ?? '')
  if (report === null) throw new Error(`no report: ${JSON.stringify(service.received)}`)
  return report
}

/** Where a program of this machine is. */
export function find(name: string): string {
  const folders = `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`.split(delimiter)
  const folder = folders.find((each) => {
    try {
      return readdirSync(each).includes(name)
    } catch {
      return false
    }
  })
  if (folder === undefined) throw new Error(`${name} is not installed`)
  return join(folder, name)
}

export function has(name: string): boolean {
  try {
    return find(name) !== ''
  } catch {
    return false
  }
}

/** A client of HTTP that this machine has. */
export const CLIENT: Programs = has('curl')
  ? { curl: { path: find('curl') } }
  : { wget: { path: find('wget') } }
