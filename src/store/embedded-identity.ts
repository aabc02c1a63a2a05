import { execFile } from 'node:child_process'
import { lchown, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NOBODY_ID = 65_534
const LONGEST_PROBE_MS = 10_000

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

/** PostgreSQL refuses root. A cluster that exists is run by its owner, a new one by `nobody`. */
export async function chooseIdentity(clusterOwner: { uid: number; gid: number } | null): Promise<Identity> {
  const uid = process.geteuid?.() ?? 0
  if (uid !== 0) {
    return { name: `uid ${uid}`, uid, gid: process.getegid?.() ?? uid, switches: false, credentials: {} }
  }
  const chosen = clusterOwner ?? (await findNobody())
  // A child's ids are signed, a file's unsigned; on macOS nobody is -2.
  return {
    name: clusterOwner ? `uid ${chosen.uid}` : 'the unprivileged user nobody',
    uid: chosen.uid,
    gid: chosen.gid,
    switches: true,
    credentials: { uid: chosen.uid | 0, gid: chosen.gid | 0 },
  }
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid, gid] = users.match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m) ?? []
  return { uid: Number(uid ?? NOBODY_ID) >>> 0, gid: Number(gid ?? NOBODY_ID) >>> 0 }
}

/** Whether that user can execute the file, or pass through the directory: the kernel's answer, not a guess. */
export async function mayExecute(identity: Identity, path: string): Promise<boolean> {
  const options = { ...identity.credentials, cwd: '/', env: SYSTEM_ENVIRONMENT, timeout: LONGEST_PROBE_MS }
  return run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], options).then(
    () => true,
    () => false,
  )
}

/** What root makes for the server belongs to the server's user, so that this user may go on without root. */
export async function handOver(identity: Identity, path: string): Promise<void> {
  if (identity.switches) await lchown(path, identity.uid, identity.gid)
}
