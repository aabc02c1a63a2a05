import { setTimeout as delay } from 'node:timers/promises'
import { trySignal } from '../support/processes.ts'
import type { DatabaseCluster, DatabaseServer } from './database-server.ts'
import type { Machine } from './machine.ts'
import type { Member } from './members.ts'
import type { World } from './world.ts'

/** Ends a fault; resolves when what was broken works again. */
type Heal = () => Promise<void>

/** The resource that a fault takes away while it lasts: from every process, or from the one it hits. */
type Takes = 'the database' | 'the checks of a process' | 'the way to the targets' | null

type Kind = {
  /** How often it is drawn, compared with the others. */
  share: number
  /** Milliseconds, at least and at most. */
  lasts: [number, number]
  takes: Takes
  /** Where the machine allows it. */
  isPossible?(machine: Machine): boolean
} & (
  | {
      befalls: 'a process'
      chooses?(member: Member): boolean
      inject(member: Member, random: () => number): Promise<Heal>
    }
  | { befalls: 'the database' | 'the receiver'; inject(world: World, random: () => number): Promise<Heal> }
)

const SHORT: [number, number] = [0, 3_000]
const LONG: [number, number] = [1_000, 15_000]
/** The time that a supervisor gives a process to stop. */
const MAX_STOP_MS = 20_000
const MAX_JUMP_SECONDS = 7_200
const NOTHING: Heal = async () => {}

const hasHost = ({ host }: Member) => host !== null
const hosts = ({ hosts }: Machine) => hosts
const hasStandbys = ({ standbys }: Machine) => standbys

/** A fault of the leader of a cluster, which a standby ends by taking its place. */
function ofLeader(inject: (cluster: DatabaseCluster) => Promise<Heal>) {
  return {
    share: 1,
    lasts: [0, 0],
    takes: 'the database',
    befalls: 'the database',
    isPossible: hasStandbys,
    inject: ({ database }) => inject(clusterOf(database)),
  } satisfies Kind
}
const probes = (member: Member) => hasHost(member) && member.probes

async function kill({ service, restart }: Member): Promise<() => Promise<void>> {
  await service.signal('SIGKILL')
  return restart
}

/** Every way in which a run breaks things. */
export const FAULTS = {
  'process killed': {
    share: 4,
    lasts: LONG,
    takes: 'the checks of a process',
    befalls: 'a process',
    inject: kill,
  },
  'process killed and started at once': {
    share: 2,
    lasts: [0, 0],
    takes: 'the checks of a process',
    befalls: 'a process',
    inject: kill,
  },
  'process stopped in order': {
    share: 1,
    lasts: SHORT,
    takes: 'the checks of a process',
    befalls: 'a process',
    async inject({ service, restart }) {
      const late = setTimeout(() => void service.signal('SIGKILL'), MAX_STOP_MS)
      await service.signal('SIGTERM')
      clearTimeout(late)
      return restart
    },
  },
  'process frozen': {
    share: 4,
    lasts: LONG,
    takes: 'the checks of a process',
    befalls: 'a process',
    async inject({ service: { pid } }) {
      process.kill(pid, 'SIGSTOP')
      return async () => void trySignal(pid, 'SIGCONT')
    },
  },
  'connections to the database reset': {
    share: 1,
    lasts: SHORT,
    takes: 'the checks of a process',
    befalls: 'a process',
    async inject({ way }) {
      way.reset()
      return NOTHING
    },
  },
  'way to the database long (20 to 300 ms more)': {
    share: 1,
    lasts: LONG,
    takes: 'the checks of a process',
    befalls: 'a process',
    async inject({ way }, random) {
      way.delayMs = 20 + random() * 280
      return async () => {
        way.delayMs = 0
      }
    },
  },
  'way to the database silent': {
    share: 1,
    lasts: LONG,
    takes: 'the checks of a process',
    befalls: 'a process',
    async inject({ way }) {
      way.isCut = true
      return async () => {
        way.isCut = false
      }
    },
  },
  'network to the database cut': {
    share: 2,
    lasts: LONG,
    takes: 'the checks of a process',
    befalls: 'a process',
    isPossible: hosts,
    chooses: hasHost,
    inject: ({ host, way }) => lose(host, way.ports, 100),
  },
  'network to the database loses 5 to 30 % of packets': {
    share: 2,
    lasts: LONG,
    takes: 'the checks of a process',
    befalls: 'a process',
    isPossible: hosts,
    chooses: hasHost,
    inject: ({ host, way }, random) => lose(host, way.ports, 5 + random() * 25),
  },
  'network to the receiver cut': {
    share: 1,
    lasts: LONG,
    takes: null,
    befalls: 'a process',
    isPossible: hosts,
    chooses: hasHost,
    inject: ({ host, ports }) => lose(host, ports.receiver, 100),
  },
  'network to the targets cut': {
    share: 1,
    lasts: LONG,
    takes: 'the way to the targets',
    befalls: 'a process',
    isPossible: hosts,
    chooses: probes,
    inject: ({ host, ports }) => lose(host, ports.targets, 100),
  },
  'network to the targets loses 5 to 30 % of packets': {
    share: 1,
    lasts: LONG,
    takes: 'the way to the targets',
    befalls: 'a process',
    isPossible: hosts,
    chooses: probes,
    inject: ({ host, ports }, random) => lose(host, ports.targets, 5 + random() * 25),
  },
  'clock of a machine jumps by up to 2 h': {
    share: 2,
    lasts: LONG,
    takes: null,
    befalls: 'a process',
    isPossible: ({ clockLibrary }) => clockLibrary !== null,
    chooses: ({ setClock }) => setClock !== null,
    async inject({ setClock }, random) {
      await setClock?.(Math.round((2 * random() - 1) * MAX_JUMP_SECONDS))
      return async () => setClock?.(0)
    },
  },
  'process of the database killed': {
    share: 1,
    lasts: [0, 0],
    takes: 'the database',
    befalls: 'the database',
    async inject({ database }, random) {
      const backends = database.backends()
      const victim = backends[Math.trunc(random() * backends.length)]
      // It may have gone by itself since it was seen.
      if (victim !== undefined) trySignal(victim, 'SIGKILL')
      return database.ensureRunning
    },
  },
  'connections ended by the database': {
    share: 1,
    lasts: [0, 0],
    takes: 'the database',
    befalls: 'the database',
    async inject({ database }) {
      for (const pid of database.backends()) trySignal(pid, 'SIGTERM')
      return database.ensureRunning
    },
  },
  'database restarted': {
    share: 1,
    lasts: SHORT,
    takes: 'the database',
    befalls: 'the database',
    inject: ({ database }) => endDatabase(database, 'SIGINT'),
  },
  'database killed': {
    share: 1,
    lasts: SHORT,
    takes: 'the database',
    befalls: 'the database',
    inject: ({ database }) => endDatabase(database, 'SIGKILL'),
  },
  'database frozen': {
    share: 1,
    lasts: LONG,
    takes: 'the database',
    befalls: 'the database',
    async inject({ database }) {
      const frozen = database.pids()
      for (const pid of frozen) trySignal(pid, 'SIGSTOP')
      return async () => {
        for (const pid of frozen) trySignal(pid, 'SIGCONT')
        await database.ensureRunning()
      }
    },
  },
  'disk of the database full': {
    share: 1,
    lasts: SHORT,
    takes: 'the database',
    befalls: 'the database',
    isPossible: ({ disk }) => disk,
    async inject({ database }) {
      const empty = await database.fillDisk()
      return async () => {
        await empty()
        await database.ensureRunning()
      }
    },
  },
  'switchover to a standby': ofLeader((cluster) => cluster.switchOver()),
  'failover from a machine that is dead': ofLeader((cluster) => cluster.killLeader()),
  'failover from a machine that stands still': ofLeader((cluster) => cluster.freezeLeader()),
  'standby of the database stands still': {
    share: 1,
    lasts: LONG,
    takes: 'the database',
    befalls: 'the database',
    isPossible: hasStandbys,
    inject: ({ database }) => clusterOf(database).freezeStandby(),
  },
  'receiver answers 503': {
    share: 1,
    lasts: SHORT,
    takes: null,
    befalls: 'the receiver',
    inject: ({ receiver }) => setMood(receiver, 'fails'),
  },
  'receiver takes the message and hangs up': {
    share: 1,
    lasts: SHORT,
    takes: null,
    befalls: 'the receiver',
    inject: ({ receiver }) => setMood(receiver, 'takes and hangs up'),
  },
} satisfies Record<string, Kind>

export type FaultKind = keyof typeof FAULTS

/** One fault as it happened. */
export type Fault = { kind: FaultKind; victim: string; takes: Takes; fromMs: number; toMs: number }

/** The faults that are possible here and wanted. */
export function possibleKinds(machine: Machine, wanted: (kind: FaultKind) => boolean): FaultKind[] {
  return kindNames().filter((name) => wanted(name) && ((FAULTS[name] as Kind).isPossible?.(machine) ?? true))
}

export function kindNames(): FaultKind[] {
  return Object.keys(FAULTS) as FaultKind[]
}

/** Whom a kind could befall: names to take hold of, so that nobody has two faults at once. */
export function victimsOf(kind: FaultKind, world: World): string[] {
  const fault: Kind = FAULTS[kind]
  if (fault.befalls !== 'a process') return [fault.befalls]
  return world.members.filter((member) => fault.chooses?.(member) ?? true).map(({ name }) => name)
}

/** Breaks something, lets it be broken for a while, and mends it. */
export async function suffer(
  kind: FaultKind,
  victim: string,
  world: World,
  { longestFaultMs, random }: { longestFaultMs: number; random: () => number },
): Promise<Fault> {
  const fault: Kind = FAULTS[kind]
  const [least, most] = fault.lasts
  const lastsMs = least + random() * Math.max(0, Math.min(most, longestFaultMs) - least)
  const fromMs = Date.now()
  const heal =
    fault.befalls === 'a process'
      ? await fault.inject(memberOf(world, victim), random)
      : await fault.inject(world, random)
  await delay(lastsMs)
  await heal()
  return { kind, victim, takes: fault.takes, fromMs, toMs: Date.now() }
}

function memberOf({ members }: World, name: string): Member {
  const member = members.find((candidate) => candidate.name === name)
  if (!member) throw new Error(`there is no process ${name}`)
  if (!trySignal(member.service.pid, 0)) {
    throw new Error(`the process ${name} has ended by itself:\n${member.service.output()}`)
  }
  return member
}

async function lose(host: Member['host'], ports: number[], percent: number): Promise<Heal> {
  return (await host?.lose(ports, Math.round(percent))) ?? NOTHING
}

async function endDatabase(database: DatabaseServer, signal: 'SIGINT' | 'SIGKILL'): Promise<Heal> {
  database.kill(signal)
  return database.ensureRunning
}

function clusterOf({ cluster }: DatabaseServer): DatabaseCluster {
  if (!cluster) throw new Error('the database has no standbys')
  return cluster
}

async function setMood(receiver: World['receiver'], mood: World['receiver']['mood']): Promise<Heal> {
  receiver.mood = mood
  return async () => {
    receiver.mood = 'takes'
  }
}
