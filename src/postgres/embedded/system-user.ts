import { execFile } from 'node:child_process'
import { access, constants, lchown, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NOBODY_ID = 65_534
/**
 * The user that root runs the server as. As `nobody`, other services of that user could read its files and kill it.
 */
const OWN_USER = 'upbeat'
const NO_HOME = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
/** Ways to create a user on Linux: the usual one, one for an existing group of that name, and BusyBox's. */
const MAKE_USER = [
  ['useradd', '--system', '--user-group', ...NO_HOME, OWN_USER],
  ['useradd', '--system', '--gid', OWN_USER, ...NO_HOME, OWN_USER],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', OWN_USER],
]
const MAX_PROBE_MS = 10_000
/** Error codes for a lack of resources to start a process. */
const NO_PROCESS = new Set<unknown>(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

/** The environment of sh, mkfifo, rm and sleep, which the server depends on. Nothing else is inherited. */
export const SYSTEM_ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/** The user that runs the server: the current one, or an unprivileged one if we are root. */
export type SystemUser = {
  /** Messages name it so. */
  name: string
  uid: number
  gid: number
  /** True if we are root and switch users to run the server. */
  switches: boolean
  /** Options for node:child_process; empty without a switch. */
  credentials: { uid?: number; gid?: number }
}

type UserIds = { uid: number; gid: number }

/** PostgreSQL refuses to run as root. An existing cluster is run by its owner, a new one by our system user. */
export async function chooseSystemUser(clusterOwner: UserIds | null): Promise<SystemUser> {
  const uid = process.geteuid?.() ?? 0
  if (uid !== 0) {
    return { name: `uid ${uid}`, uid, gid: process.getegid?.() ?? uid, switches: false, credentials: {} }
  }
  return clusterOwner ? systemUserOf(`uid ${clusterOwner.uid}`, clusterOwner) : await ownSystemUser()
}

/** Our system user, created if it does not exist; `nobody` if that is not possible. */
export async function ownSystemUser(): Promise<SystemUser> {
  const own = (await findUser(OWN_USER)) ?? (await makeUser())
  if (own !== null && own.uid !== 0) return systemUserOf(`the system user ${OWN_USER}`, own)
  return systemUserOf('the unprivileged user nobody', await findNobody())
}

/** child_process takes signed ids, files have unsigned ones; on macOS nobody is -2. */
function systemUserOf(name: string, { uid, gid }: UserIds): SystemUser {
  return { name, uid, gid, switches: true, credentials: { uid: uid | 0, gid: gid | 0 } }
}

async function makeUser(): Promise<UserIds | null> {
  if (process.platform !== 'linux') return null
  for (const [command = '', ...args] of MAKE_USER) {
    const options = { cwd: '/', env: SYSTEM_ENVIRONMENT, timeout: MAX_PROBE_MS }
    await run(command, args, options).catch(() => {})
    // If processes start together, another one may have created it.
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

/**
 * Whether that user can execute the file, or enter the directory, according to the kernel: modes do not say it, for example
 * on file systems that belong to one user. Another user needs a process of its own to ask.
 */
export async function mayExecute(user: SystemUser, path: string): Promise<boolean> {
  if (!user.switches) {
    return access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
  }
  const options = { ...user.credentials, cwd: '/', env: SYSTEM_ENVIRONMENT, timeout: MAX_PROBE_MS }
  return run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], options).then(
    () => true,
    (error) => {
      // The test did not run, so there is no answer.
      if (NO_PROCESS.has(error.code)) throw error
      return false
    },
  )
}

/** Gives files that root created for the server to the server's user, so that this user can continue without root. */
export async function handOver(user: SystemUser, path: string): Promise<void> {
  if (user.switches) await lchown(path, user.uid, user.gid)
}
