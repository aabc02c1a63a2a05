import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Scope } from '../support/scope.ts'

const run = promisify(execFile)

const HOOKS = ['input', 'output']

/** A machine of its own, as far as the network can tell: a namespace, and a cable to ours. */
export type Host = {
  /** Starts the command given to it on that machine, in the same process. */
  launcher: string[]
  /** Drops so many of a hundred packets to and from some ports of ours; 100 is a cut. What it returns mends that. */
  lose(ports: number[], percent: number): Promise<() => Promise<void>>
}

export type Network = {
  /** Ours, for all of them. */
  address: string
  addHost(): Promise<Host>
}

/** Only root may, and only where the kernel has namespaces and nftables. */
export async function canMakeHosts(): Promise<boolean> {
  const name = `uph-try-${process.pid}`
  try {
    await run('ip', ['netns', 'add', name])
    await inside(name, 'nft', 'add', 'table', 'inet', 'upbeat')
    return true
  } catch {
    return false
  } finally {
    await run('ip', ['netns', 'del', name]).catch(() => {})
  }
}

/** Machines of their own around ours, which they all know by one address. */
export async function openNetwork(scope: Scope): Promise<Network> {
  // 100.64.0.0/10 is for networks between machines of one operator: nobody's home or office.
  const net = `100.${64 + (process.pid % 64)}.${Math.trunc(process.pid / 64) % 256}`
  const address = `${net}.254`
  await run('ip', ['addr', 'add', `${address}/32`, 'dev', 'lo'])
  scope.after(async () => void (await run('ip', ['addr', 'del', `${address}/32`, 'dev', 'lo'])))
  let made = 0

  async function addHost(): Promise<Host> {
    const index = made++
    const name = `uph-${process.pid}-${index}`
    const [ours, theirs] = [`uph${process.pid}o${index}`, `uph${process.pid}t${index}`]
    const [peer, own] = [1, 2].map((last) => `${net}.${index * 4 + last}`) as [string, string]
    await run('ip', ['netns', 'add', name])
    scope.after(async () => void (await run('ip', ['netns', 'del', name])))
    await run('ip', ['link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs, 'netns', name])
    await run('ip', ['addr', 'add', `${peer}/30`, 'dev', ours])
    await run('ip', ['link', 'set', ours, 'up'])
    await run('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
    await run('ip', ['-n', name, 'addr', 'add', `${own}/30`, 'dev', theirs])
    await run('ip', ['-n', name, 'link', 'set', theirs, 'up'])
    await run('ip', ['-n', name, 'route', 'add', 'default', 'via', peer])
    await inside(name, 'nft', 'add', 'table', 'inet', 'upbeat')
    for (const hook of HOOKS) {
      const kind = `{ type filter hook ${hook} priority 0; }`
      await inside(name, 'nft', 'add', 'chain', 'inet', 'upbeat', hook, kind)
    }
    return {
      launcher: ['ip', 'netns', 'exec', name],
      async lose(ports, percent) {
        const set = `{ ${ports.join(', ')} }`
        const some = percent < 100 ? ['numgen', 'random', 'mod', '100', '<', String(percent)] : []
        const rules = [
          ['input', 'tcp', 'sport', set, ...some, 'drop'],
          ['output', 'tcp', 'dport', set, ...some, 'drop'],
        ]
        for (const rule of rules) await inside(name, 'nft', 'add', 'rule', 'inet', 'upbeat', ...rule)
        return async () => {
          for (const hook of HOOKS) await inside(name, 'nft', 'flush', 'chain', 'inet', 'upbeat', hook)
        }
      },
    }
  }

  return { address, addHost }
}

async function inside(name: string, ...command: string[]): Promise<void> {
  await run('ip', ['netns', 'exec', name, ...command])
}
