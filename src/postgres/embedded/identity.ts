import { execFile } from 'node:child_process'
import { lchown, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NOBODY_ID = 65_534
/** Whom root runs the server as. Other services that run as `nobody` could read and end what is that user's. */
const OWN_USER = 'upbeat'
const NO_HOME = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
/** The ways of Linux: that of most, the same where there is a group of that name, and that of BusyBox. */
const MAKE_USER = [
  ['useradd', '--system', '--user-group', ...NO_HOME, OWN_USER],
  ['useradd', '--system', '--gid', OWN_USER, ...NO_HOME, OWN_USER],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', OWN_USER],
]
const MAX_PROBE_MS = 10_000
/** What the system says when there is nothing left to start a process with. */
const NO_PROCESS = new Set<unknown>(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

/** Programs of the system that the server's life depends on: sh, mkfifo, rm, sleep. Nothing else is inherited. */
export const SYSTEM_ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/** The user as whom the server runs: ourselves, or somebody unprivileged when we are root. */
export type Identity = {
  /** As a sentence names it. */
  name: string
  uid: number
  gid: number
  /** We are root and become somebody else to run the server. */
  switches: boolean
  /** Options for node:child_process; empty when nothing switches. */
  credentials: { uid?: number; gid?: number }
}

type UserIds = { uid: number; gid: number }

/** PostgreSQL refuses root. A cluster that exists is run by its owner, a new one by a system user of our own. */
export async function chooseIdentity(clusterOwner: UserIds | null): Promise<Identity> {
  const uid = process.geteuid?.() ?? 0
  if (uid !== 0) {
    return { name: `uid ${uid}`, uid, gid: process.getegid?.() ?? uid, switches: false, credentials: {} }
  }
  return clusterOwner ? identityOf(`uid ${clusterOwner.uid}`, clusterOwner) : await ownIdentity()
}

/** The system user of our own, which is made where there is none; `nobody` where that is not possible. */
export async function ownIdentity(): Promise<Identity> {
  const own = (await findUser(OWN_USER)) ?? (await makeUser())
  if (own !== null && own.uid !== 0) return identityOf(`the system user ${OWN_USER}`, own)
  return identityOf('the unprivileged user nobody', await findNobody())
}

/** A child's ids are signed, a file's unsigned; on macOS nobody is -2. */
function identityOf(name: string, { uid, gid }: UserIds): Identity {
  return { name, uid, gid, switches: true, credentials: { uid: uid | 0, gid: gid | 0 } }
}

async function makeUser(): Promise<UserIds | null> {
  if (process.platform !== 'linux') return null
  for (const [command = '', ...args] of MAKE_USER) {
    const options = { cwd: '/', env: SYSTEM_ENVIRONMENT, timeout: MAX_PROBE_MS }
    await run(command, args, options).catch(() => {})
    // Of processes that start together one makes it.
    const made = await findUser(OWN_USER)
    if (made !== null) return made
  }
  return null
}

export async function findNobody(): Promise<UserIds> {
  return (await findUser('nobody')) ?? { uid: NOBODY_ID, gid: NOBODY_ID }
}

async function findUser(name: string): Promise<UserIds | null> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid, gid] = users.match(new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, 'm')) ?? []
  return uid === undefined ? null : { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/** Whether that user can execute the file, or pass through the directory: the kernel's answer, not a guess. */
export async function mayExecute(identity: Identity, path: string): Promise<boolean> {
  const options = { ...identity.credentials, cwd: '/', env: SYSTEM_ENVIRONMENT, timeout: MAX_PROBE_MS }
  return run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], options).then(
    () => true,
    (error) => {
      // Then nobody has been asked.
      if (NO_PROCESS.has(error.code)) throw error
      return false
    },
  )
}

/** What root makes for the server belongs to the server's user, so that this user may go on without root. */
export async function handOver(identity: Identity, path: string): Promise<void> {
  if (identity.switches) await lchown(path, identity.uid, identity.gid)
}
