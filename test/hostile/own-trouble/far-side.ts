import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Scope } from '../../support/scope.ts'
import type { Mood, Order, Settings } from './internet.ts'

const run = promisify(execFile)

const INTERNET = join(import.meta.dirname, 'internet.ts')
const NEAR = '198.51.100.1'
const FAR = '198.51.100.2'
const FIRST_BYTES = [20, 23, 31, 34, 37, 45, 46, 52, 62, 78, 80, 91, 95, 101, 103, 109, 130, 151, 185, 212]
const NAME_SERVERS = ['41.1.0.53', '42.1.0.53']
const WEB_PORT = 80
const TCP_PORT = 7_000

/** How a target fails: by what its network does with what is sent to it (null: its web server says so), in what words. */
export const FAILURES = {
  'says 503': { rule: null, cause: /^HTTP 503/ },
  refuses: { rule: 'meta l4proto tcp reject with tcp reset', cause: /^connection refused by / },
  'is silent': { rule: 'drop', cause: /^no answer within .* \(connecting\)$/ },
  'is a port-unreachable': { rule: 'reject with icmp port-unreachable', cause: /^connection refused by / },
  'is a host-unreachable': { rule: 'reject with icmp host-unreachable', cause: /^no route to / },
  'is a net-unreachable': { rule: 'reject with icmp net-unreachable', cause: /^no route to / },
  'is prohibited': { rule: 'reject with icmp admin-prohibited', cause: /^no route to / },
  'is silent once connected': {
    rule: 'tcp flags & syn == 0 drop',
    cause: /^no answer within .* \(connected, waiting for the first byte\)$/,
  },
} satisfies Record<string, { rule: string | null; cause: RegExp }>

export type Failing = keyof typeof FAILURES

/** Twenty unrelated public networks at the other end of the only cable of this machine. */
export type FarSide = {
  tcpPort: number
  nameServers: string[]
  setMoods(moods: Mood[]): Promise<void>
  fail(targets: { address: string; how: Failing }[]): Promise<void>
  /** Everything that arrives there is lost. */
  drop(isLost: boolean): Promise<void>
  /** Everything that leaves here is answered so by the first router. */
  reject(how: string | null): Promise<void>
  /** Our end of the cable, or theirs. */
  setLink(end: 'near' | 'far', state: 'up' | 'down'): Promise<void>
}

/** One of the networks is `X.1.0.0/16`; both are counted from 0, and the networks from the start again. */
export function addressAt(network: number, host: number): string {
  return `${FIRST_BYTES[network % FIRST_BYTES.length]}.1.${Math.trunc(host / 250)}.${(host % 250) + 1}`
}

/** To be called in a network namespace that has nothing yet. */
export async function openFarSide(scope: Scope, names: Record<string, string[]>): Promise<FarSide> {
  const settings: Settings = { nameServers: NAME_SERVERS, names, webPort: WEB_PORT, tcpPort: TCP_PORT }
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  scope.after(() => end(holder))
  await once(holder, 'spawn')
  const inside = ['nsenter', '--target', String(holder.pid), '--net']
  await ownNetwork(holder.pid as number)
  const there = (...command: string[]) => call(...inside, ...command)
  await call('ip', 'link', 'set', 'lo', 'up')
  await call('ip', 'link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'in', 'netns', String(holder.pid))
  await call('ip', 'addr', 'add', `${NEAR}/24`, 'dev', 'out')
  await there('ip', 'link', 'set', 'lo', 'up')
  await there('ip', 'addr', 'add', `${FAR}/24`, 'dev', 'in')
  await there('ip', 'link', 'set', 'in', 'up')
  for (const first of [...FIRST_BYTES, ...NAME_SERVERS.map((address) => Number.parseInt(address, 10))])
    await there('ip', 'route', 'add', 'local', `${first}.1.0.0/16`, 'dev', 'lo')
  // Else routers answer once a second, as Linux does.
  await there('sh', '-c', 'echo 0 > /proc/sys/net/ipv4/icmp_ratelimit')
  await call('nft', 'add table inet near; add chain inet near out { type filter hook output priority 0; }')
  const hook = 'type filter hook input priority'
  await there(
    'nft',
    `add table inet far; add chain inet far lost { ${hook} 0; }; add chain inet far targets { ${hook} 1; }`,
  )
  const order: Order = { moods: NAME_SERVERS.map(() => 'well'), failing: [] }
  const [command = '', ...args] = [...inside, process.execPath, ...process.execArgv, INTERNET]
  const internet = spawn(command, [...args, JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  scope.after(() => end(internet))
  await once(internet, 'message')

  async function tell(news: Partial<Order>) {
    Object.assign(order, news)
    const done = once(internet, 'message')
    internet.send(order)
    await done
  }

  async function setLink(near: 'near' | 'far', state: 'up' | 'down') {
    if (near === 'far') return there('ip', 'link', 'set', 'in', state)
    await call('ip', 'link', 'set', 'out', state)
    // It went with the link.
    if (state === 'up') await call('ip', 'route', 'replace', 'default', 'via', FAR)
  }

  await setLink('near', 'up')
  return {
    tcpPort: TCP_PORT,
    nameServers: NAME_SERVERS,
    setMoods: (moods) => tell({ moods }),
    async fail(targets) {
      const saying = targets.filter(({ how }) => FAILURES[how].rule === null)
      await tell({ failing: saying.map(({ address }) => address) })
      const rules = targets.flatMap(({ address, how }) => {
        const { rule } = FAILURES[how]
        return rule === null ? [] : `add rule inet far targets ip daddr ${address} ${rule}`
      })
      await there('nft', ['flush chain inet far targets', ...rules].join('; '))
    },
    drop: (isLost) => there('nft', isLost ? 'add rule inet far lost drop' : 'flush chain inet far lost'),
    reject: (how) =>
      call(
        'nft',
        how === null
          ? 'flush chain inet near out'
          : `add rule inet near out oifname "out" meta nfproto ipv4 reject with ${how}`,
      ),
    setLink,
  }
}

async function call(...words: string[]): Promise<void> {
  const [command = '', ...args] = words
  await run(command, args)
}

/** Resolves when a process that was told to has left our network. */
async function ownNetwork(pid: number): Promise<void> {
  const networkOf = async (whose: string) => (await run('readlink', [`/proc/${whose}/ns/net`])).stdout
  const ours = await networkOf('self')
  while ((await networkOf(String(pid))) === ours);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
