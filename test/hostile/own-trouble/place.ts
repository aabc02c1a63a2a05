import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exitOf } from '../../support/exit.ts'
import type { Scope } from '../../support/scope.ts'
import type { Order, Settings } from './internet.ts'

const execute = promisify(execFile)

const INTERNET = join(import.meta.dirname, 'internet.ts')
const WEB_PORT = 80
export const TCP_PORT = 7_000

/** A network namespace at the other end of a cable of ours. */
export type Place = {
  run(...command: string[]): Promise<void>
  startInternet(
    settings: Omit<Settings, 'webPort' | 'tcpPort'>,
  ): Promise<{ tell(news: Partial<Order>): Promise<void> }>
}

export async function openPlace(scope: Scope, cable: { near: string; far: string }): Promise<Place> {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  scope.after(() => end(holder))
  await once(holder, 'spawn')
  await ownNetwork(holder.pid as number)
  const inside = ['nsenter', '--target', String(holder.pid), '--net']
  const there = (...command: string[]) => call(...inside, ...command)
  const peer = ['peer', 'name', cable.far, 'netns', String(holder.pid)]
  await call('ip', 'link', 'add', 'name', cable.near, 'type', 'veth', ...peer)
  await there('ip', 'link', 'set', 'lo', 'up')
  await there('ip', 'link', 'set', cable.far, 'up')
  return {
    run: there,
    async startInternet(settings) {
      const order: Order = { moods: settings.nameServers.map(() => 'well'), failing: [] }
      const [command = '', ...args] = [...inside, process.execPath, ...process.execArgv, INTERNET]
      const task: Settings = { ...settings, webPort: WEB_PORT, tcpPort: TCP_PORT }
      const internet = spawn(command, [...args, JSON.stringify(task)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      scope.after(() => end(internet))
      await once(internet, 'message')
      return {
        async tell(news) {
          Object.assign(order, news)
          const done = once(internet, 'message')
          internet.send(order)
          await done
        },
      }
    },
  }
}

export async function call(...words: string[]): Promise<void> {
  const [command = '', ...args] = words
  await execute(command, args)
}

/** Resolves when a process that was told to has left our network. */
async function ownNetwork(pid: number): Promise<void> {
  const networkOf = async (whose: string) => (await execute('readlink', [`/proc/${whose}/ns/net`])).stdout
  const ours = await networkOf('self')
  while ((await networkOf(String(pid))) === ours);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = exitOf(child, 'a process of the scene')
  child.kill('SIGKILL')
  await exited
}
